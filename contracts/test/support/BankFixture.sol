// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AmcToken} from "../../src/AmcToken.sol";
import {RifBank} from "../../src/RifBank.sol";
import {TestUsdt} from "../../src/TestUsdt.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {TestBase} from "./Vm.sol";

interface IApprove {
    function approve(address spender, uint256 amount) external;
}

/// @title Bank with test USDT and AMC, an account for every role, and a member
abstract contract BankFixture is TestBase {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    uint256 internal constant QUOTE_KEY = 0xA11CE1;
    uint256 internal constant CLAIM_KEY = 0xA11CE2;
    uint256 internal constant STRANGER_KEY = 0xA11CE3;
    uint256 internal constant MEMBER_KEY = 0xA11CE4;

    address internal constant ADMIN = address(0xAD);
    address internal constant PUBLISHER = address(0x9B);
    address internal constant PAUSER = address(0x9A);
    address internal constant GUARDIAN = address(0x96);
    address internal constant TREASURER = address(0x97);
    address internal constant VAULT = address(0x7A);
    address internal constant STRANGER = address(0x57);
    address internal immutable MEMBER = vm.addr(MEMBER_KEY);

    uint256 internal constant USDT_CAP = 50_000e6;
    uint256 internal constant AMC_CAP = 100_000e18;
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant MINTED = 1_000_000_000e18;

    TestUsdt internal usdt;
    AmcToken internal amc;
    RifBank internal bank;

    function setUp() public virtual {
        vm.chainId(42161);
        vm.warp(START);
        usdt = new TestUsdt(6);
        // Supply that takes no part in the tests: a cap must be below the supply.
        usdt.mint(address(0xDEAD), MINTED);
        amc = new AmcToken(address(this), MINTED);
        bank = _deployBank(address(usdt), address(amc));
    }

    function _config(address usdt_, address amc_) internal pure returns (IRifBank.Config memory) {
        return IRifBank.Config({
            usdt: usdt_,
            amc: amc_,
            admin: ADMIN,
            adminDelay: 3 days,
            quoteSigner: vm.addr(QUOTE_KEY),
            claimSigner: vm.addr(CLAIM_KEY),
            publisher: PUBLISHER,
            pauser: PAUSER,
            guardian: GUARDIAN,
            treasurer: TREASURER,
            predecessor: address(0),
            usdtDailyCap: USDT_CAP,
            amcDailyCap: AMC_CAP
        });
    }

    function _deployBank(address usdt_, address amc_) internal returns (RifBank) {
        return new RifBank(_config(usdt_, amc_));
    }

    /// @dev Returns an order of the member of package 3 for 700 USDT and 600 AMC, valid for 30 minutes.
    function _order(uint256 orderId) internal view returns (IRifBank.Order memory) {
        return IRifBank.Order({
            orderId: orderId,
            payer: MEMBER,
            package: 3,
            limit: 200,
            usdtAmount: 700e6,
            amcAmount: 600e18,
            deadline: block.timestamp + 30 minutes
        });
    }

    /// @dev Returns a voucher for the member, valid for a day.
    function _voucher(uint256 withdrawalId, address token, uint256 amount)
        internal
        view
        returns (IRifBank.Claim memory)
    {
        return IRifBank.Claim(withdrawalId, token, MEMBER, amount, block.timestamp + 1 days);
    }

    function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _signOrder(IRifBank.Order memory order) internal view returns (bytes memory) {
        return _sign(QUOTE_KEY, bank.hashOrder(order));
    }

    function _signClaim(IRifBank.Claim memory voucher) internal view returns (bytes memory) {
        return _sign(CLAIM_KEY, bank.hashClaim(voucher));
    }

    /// @dev Appoints a claim signer; two days pass.
    function _appointClaimSigner(address signer) internal {
        vm.startPrank(ADMIN);
        bank.queueClaimSigner(signer);
        vm.warp(block.timestamp + bank.CHANGE_DELAY());
        bank.executeClaimSigner(signer);
        vm.stopPrank();
    }

    function _isClaimed(IRifBank.Claim memory voucher) internal view returns (bool) {
        return bank.claimed(voucher.withdrawalId, voucher.token, voucher.to, voucher.amount);
    }

    /// @dev Gives the member the tokens for the order and approves exactly these amounts.
    function _fundAndApprove(IRifBank.Order memory order) internal {
        usdt.mint(MEMBER, order.usdtAmount);
        amc.transfer(MEMBER, order.amcAmount);
        _approve(MEMBER, address(usdt), order.usdtAmount);
        _approve(MEMBER, address(amc), order.amcAmount);
    }

    function _approve(address owner, address token, uint256 amount) internal {
        vm.prank(owner);
        IApprove(token).approve(address(bank), amount);
    }

    /// @dev Signs an EIP-2612 permit for the bank to take `amount` AMC of the member.
    function _permit(uint256 key, uint256 amount, uint256 deadline)
        internal
        view
        returns (uint8 v, bytes32 r, bytes32 s)
    {
        bytes32 structHash = keccak256(
            abi.encode(PERMIT_TYPEHASH, MEMBER, address(bank), amount, amc.nonces(MEMBER), deadline)
        );
        return vm.sign(key, keccak256(abi.encodePacked(hex"1901", amc.DOMAIN_SEPARATOR(), structHash)));
    }

    /// @dev Gives the member the tokens for the order, approves the USDT and returns a permit for the AMC.
    function _fundWithPermit(IRifBank.Order memory order) internal returns (uint8 v, bytes32 r, bytes32 s) {
        _fundAndApprove(order);
        _approve(MEMBER, address(amc), 0);
        return _permit(MEMBER_KEY, order.amcAmount, order.deadline);
    }

    function _pay(IRifBank.Order memory order) internal {
        bytes memory signature = _signOrder(order);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    /// @dev Transfers tokens to the bank without an order or a deposit, for tests of claims.
    function _fill(uint256 usdtAmount, uint256 amcAmount) internal {
        usdt.mint(address(bank), usdtAmount);
        amc.transfer(address(bank), amcAmount);
    }

    /// @dev Puts the vault on the list of destinations; two days pass.
    function _listVault() internal {
        vm.startPrank(ADMIN);
        bank.queueDestination(VAULT);
        vm.warp(block.timestamp + bank.CHANGE_DELAY());
        bank.executeDestination(VAULT);
        vm.stopPrank();
    }

    function _payout(uint256 exitId, address token, uint256 amount)
        internal
        pure
        returns (IBankExits.Exit memory)
    {
        return IBankExits.Exit(exitId, 0, 0, token, VAULT, amount);
    }

    function _investment(uint256 exitId, uint256 amount) internal view returns (IBankExits.Exit memory) {
        return IBankExits.Exit(exitId, 1, 5, address(usdt), VAULT, amount);
    }

    function _announce(IBankExits.Exit memory exit) internal {
        vm.prank(TREASURER);
        bank.announceExit(exit);
    }

    /// @dev Announces an exit, which can be executed when this returns: two days pass.
    function _announceAndWait(IBankExits.Exit memory exit) internal {
        _announce(exit);
        vm.warp(block.timestamp + bank.CHANGE_DELAY());
    }

    function _totals(uint128 usdtLiabilities, uint128 fundCash, uint128 amcLiabilities)
        internal
        view
        returns (IBankExits.AssetTotals[] memory totals)
    {
        totals = new IBankExits.AssetTotals[](2);
        totals[0] = IBankExits.AssetTotals(bank.usdt(), usdtLiabilities, fundCash);
        totals[1] = IBankExits.AssetTotals(bank.amc(), amcLiabilities, 0);
    }

    /// @dev Publishes yesterday's liabilities of USDT, cash of the funds, and liabilities of AMC.
    function _publish(uint128 usdtLiabilities, uint128 fundCash, uint128 amcLiabilities) internal {
        uint32 yesterday = uint32(block.timestamp / 1 days) - 1;
        IBankExits.AssetTotals[] memory totals = _totals(usdtLiabilities, fundCash, amcLiabilities);
        vm.prank(PUBLISHER);
        bank.publishSolvency(yesterday, keccak256("root"), _heads(), totals);
    }

    /// @dev Returns some heads of a publication.
    function _heads() internal pure returns (IBankExits.Heads memory) {
        return IBankExits.Heads(keccak256("ledger"), keccak256("operators"));
    }
}
