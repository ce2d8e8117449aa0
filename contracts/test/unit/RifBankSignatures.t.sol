// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Signatures are bound to a signer, a bank and a chain, and the digests equal those of a wallet library.
contract RifBankSignaturesTest is BankFixture {
    uint256 private constant CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    /// @dev The vectors were computed by viem; test/eip712.test.ts compares them with viem.
    function testDigestsAndSignaturesAgreeWithViem() public {
        string memory json = vm.readFile("test/fixtures/eip712.json");
        address deployer = vm.parseJsonAddress(json, ".deployer");
        vm.setNonce(deployer, 0);
        vm.prank(deployer);
        bank = _deployBank(address(usdt), address(amc));
        vm.assertEq(address(bank), vm.parseJsonAddress(json, ".bank"));

        IRifBank.Order memory order = IRifBank.Order({
            orderId: vm.parseJsonUint(json, ".order.message.orderId"),
            payer: vm.parseJsonAddress(json, ".order.message.payer"),
            package: vm.parseJsonUint(json, ".order.message.package"),
            limit: vm.parseJsonUint(json, ".order.message.limit"),
            usdtAmount: vm.parseJsonUint(json, ".order.message.usdtAmount"),
            amcAmount: vm.parseJsonUint(json, ".order.message.amcAmount"),
            deadline: vm.parseJsonUint(json, ".order.message.deadline")
        });
        vm.assertEq(bank.hashOrder(order), vm.parseJsonBytes32(json, ".order.digest"));
        vm.assertEq(_signOrder(order), vm.parseJsonBytes(json, ".order.signature"));

        IRifBank.Claim memory voucher = IRifBank.Claim({
            withdrawalId: vm.parseJsonUint(json, ".claim.message.withdrawalId"),
            token: vm.parseJsonAddress(json, ".claim.message.token"),
            to: vm.parseJsonAddress(json, ".claim.message.to"),
            amount: vm.parseJsonUint(json, ".claim.message.amount"),
            deadline: vm.parseJsonUint(json, ".claim.message.deadline")
        });
        vm.assertEq(bank.hashClaim(voucher), vm.parseJsonBytes32(json, ".claim.digest"));
        vm.assertEq(_signClaim(voucher), vm.parseJsonBytes(json, ".claim.signature"));
    }

    function testQuoteAndClaimSignersCannotReplaceEachOther() public {
        _fill(1e6, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _sign(QUOTE_KEY, bank.hashClaim(voucher));
        vm.expectRevert(_unauthorized(QUOTE_KEY, bank.CLAIM_SIGNER_ROLE()));
        bank.claim(voucher, signature);

        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        signature = _sign(CLAIM_KEY, bank.hashOrder(order));
        vm.expectRevert(_unauthorized(CLAIM_KEY, bank.QUOTE_SIGNER_ROLE()));
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    function testFuzzRefusesEveryOtherKey(uint256 key) public {
        _fill(1e6, 0);
        key = _bound(key, 1, CURVE_ORDER - 1);
        vm.assume(key != CLAIM_KEY);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _sign(key, bank.hashClaim(voucher));
        vm.expectRevert(_unauthorized(key, bank.CLAIM_SIGNER_ROLE()));
        bank.claim(voucher, signature);
    }

    function testFuzzRefusesAChangedVoucher(uint8 field, uint256 value) public {
        _fill(USDT_CAP, AMC_CAP);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _signClaim(voucher);
        bytes32 signed = bank.hashClaim(voucher);
        field %= 5;
        if (field == 0) voucher.withdrawalId = value;
        if (field == 1) voucher.token = address(amc);
        if (field == 2) voucher.to = address(uint160(_bound(value, 0x10000, type(uint160).max)));
        if (field == 3) voucher.amount = _bound(value, 1, type(uint256).max);
        if (field == 4) voucher.deadline = _bound(value, block.timestamp, type(uint256).max);
        vm.assume(bank.hashClaim(voucher) != signed);
        vm.assume(voucher.to != address(bank) && voucher.to != address(usdt) && voucher.to != address(amc));

        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        bank.claim(voucher, signature);
    }

    function testRefusesTheMirroredSignature() public {
        _fill(1e6, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(CLAIM_KEY, bank.hashClaim(voucher));
        bytes32 mirrored = bytes32(CURVE_ORDER - uint256(s));
        bytes memory signature = abi.encodePacked(r, mirrored, v == 27 ? uint8(28) : uint8(27));

        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureS.selector, mirrored));
        bank.claim(voucher, signature);
    }

    function testRefusesMalformedSignatures() public {
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureLength.selector, 0));
        bank.claim(voucher, "");
        (, bytes32 r, bytes32 s) = vm.sign(CLAIM_KEY, bank.hashClaim(voucher));
        vm.expectRevert(abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureLength.selector, 64));
        bank.claim(voucher, abi.encodePacked(r, s));
        vm.expectRevert(ECDSA.ECDSAInvalidSignature.selector);
        bank.claim(voucher, abi.encodePacked(r, s, uint8(1)));
    }

    function testAVoucherIsValidOnlyForItsChainAndBank() public {
        _fill(1e6, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _signClaim(voucher);

        vm.chainId(1);
        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        bank.claim(voucher, signature);
        vm.chainId(42161);

        address first = address(bank);
        bank = _deployBank(address(usdt), address(amc));
        _fill(1e6, 0);
        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        bank.claim(voucher, signature);
        IRifBank(first).claim(voucher, signature);
    }

    function testReportsItsSigningDomain() public view {
        (, string memory name, string memory version, uint256 chainId, address verifyingContract,,) =
            bank.eip712Domain();
        vm.assertEq(name, "RIFund Bank");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, 42161);
        vm.assertEq(verifyingContract, address(bank));
    }

    function _unauthorized(uint256 key, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IBankRoles.UnauthorizedSigner.selector, vm.addr(key), role);
    }
}
