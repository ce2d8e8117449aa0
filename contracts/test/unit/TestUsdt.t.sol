// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

import {TestUsdt} from "../../src/TestUsdt.sol";
import {TestBase} from "../support/Vm.sol";

/// @dev A wallet contract whose only owner signs for it (EIP-1271).
contract ContractWallet is IERC1271 {
    address private immutable _signer;

    constructor(address signer) {
        _signer = signer;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recoverCalldata(hash, signature) == _signer
            ? IERC1271.isValidSignature.selector
            : bytes4(0xffffffff);
    }
}

/// @dev The behaviour that the test USDT shares with USD₮0 on Arbitrum One.
contract TestUsdtTest is TestBase {
    uint256 private constant KEY = 0xB0B;
    address private constant OTHER = address(0xBEEF);
    address private immutable OWNER = vm.addr(KEY);
    bytes32 private constant NONCE = keccak256("nonce");

    TestUsdt private usdt;

    function setUp() public {
        vm.warp(1_800_000_000);
        usdt = new TestUsdt(6);
        usdt.mint(OWNER, 100);
        usdt.mint(address(this), 100);
    }

    function testHasTheNameAndDecimalsOfItsChain() public {
        vm.assertEq(usdt.name(), unicode"USD₮0");
        vm.assertEq(usdt.symbol(), unicode"USD₮0");
        vm.assertEq(uint256(usdt.decimals()), 6);
        vm.assertEq(uint256(new TestUsdt(18).decimals()), 18);
        (, string memory name, string memory version, uint256 chainId, address token,,) = usdt.eip712Domain();
        vm.assertEq(name, unicode"USD₮0");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(token, address(usdt));
    }

    function testReturnsTrueAndLetsAnAllowanceBeReplaced() public {
        vm.assertTrue(usdt.approve(OTHER, 5));
        vm.assertTrue(usdt.approve(OTHER, 6));
        vm.assertEq(usdt.allowance(address(this), OTHER), 6);
        vm.assertTrue(usdt.transfer(OTHER, 1));
        vm.prank(OTHER);
        vm.assertTrue(usdt.transferFrom(address(this), OTHER, 2));
        vm.assertEq(usdt.allowance(address(this), OTHER), 4);
        vm.assertEq(usdt.balanceOf(OTHER), 3);
        vm.assertEq(usdt.totalSupply(), 200);
    }

    function testRefusesTransfersBeyondBalanceOrAllowanceAndToTheToken() public {
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        usdt.transfer(OTHER, 101);
        vm.expectRevert("ERC20: insufficient allowance");
        usdt.transferFrom(OWNER, OTHER, 1);
        vm.expectRevert("ERC20: transfer to the zero address");
        usdt.transfer(address(0), 1);
        vm.expectRevert("ERC20: transfer to the contract address");
        usdt.transfer(address(usdt), 1);
        usdt.approve(address(this), 1);
        vm.expectRevert("ERC20: transfer to the contract address");
        usdt.transferFrom(address(this), address(usdt), 1);
    }

    function testSendsToSeveralReceiversAtOnce() public {
        address[] memory receivers = new address[](2);
        uint256[] memory amounts = new uint256[](2);
        (receivers[0], receivers[1], amounts[0], amounts[1]) = (OTHER, OWNER, 3, 4);
        usdt.multiTransfer(receivers, amounts);
        vm.assertEq(usdt.balanceOf(OTHER), 3);
        vm.assertEq(usdt.balanceOf(OWNER), 104);
    }

    function testABlockedAccountReceivesButCannotSend() public {
        usdt.addToBlockedList(OWNER);
        usdt.transfer(OWNER, 1);
        vm.prank(OWNER);
        usdt.approve(address(this), 10);
        vm.expectRevert("Blocked: transfers are blocked for user");
        vm.prank(OWNER);
        usdt.transfer(OTHER, 1);
        vm.expectRevert();
        usdt.transferFrom(OWNER, OTHER, 1);
        vm.expectRevert("Ownable: caller is not the owner");
        vm.prank(OWNER);
        usdt.removeFromBlockedList(OWNER);

        usdt.removeFromBlockedList(OWNER);
        usdt.transferFrom(OWNER, OTHER, 1);
        usdt.addToBlockedList(OWNER);
        usdt.destroyBlockedFunds(OWNER);
        vm.assertEq(usdt.balanceOf(OWNER), 0);
        vm.assertEq(usdt.totalSupply(), 100);
    }

    function testAPermitSetsTheAllowanceOnce() public {
        uint256 deadline = block.timestamp;
        bytes32 digest = _permitDigest(OWNER, 7, deadline);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        vm.expectRevert("EIP2612: invalid signature");
        usdt.permit(OWNER, OTHER, 8, deadline, v, r, s);
        usdt.permit(OWNER, OTHER, 7, deadline, v, r, s);
        vm.assertEq(usdt.allowance(OWNER, OTHER), 7);
        vm.expectRevert("EIP2612: invalid signature");
        usdt.permit(OWNER, OTHER, 7, deadline, v, r, s);

        usdt.permit(OWNER, OTHER, 9, deadline, _sign(_permitDigest(OWNER, 9, deadline)));
        vm.assertEq(usdt.allowance(OWNER, OTHER), 9);
        vm.warp(deadline + 1);
        vm.expectRevert("ERC20Permit: expired deadline");
        usdt.permit(OWNER, OTHER, 7, deadline, v, r, s);
    }

    function testAWalletContractPermitsByItsOwnRule() public {
        address wallet = address(new ContractWallet(OWNER));
        bytes memory signature = _sign(_permitDigest(wallet, 7, block.timestamp));
        usdt.permit(wallet, OTHER, 7, block.timestamp, signature);
        vm.assertEq(usdt.allowance(wallet, OTHER), 7);
        vm.expectRevert("EIP2612: invalid signature");
        usdt.permit(wallet, OTHER, 7, block.timestamp, signature);
    }

    function testAnAuthorisationMovesTokensOnceWithinItsTime() public {
        bytes32 typehash = keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        uint256 at = block.timestamp;
        bytes memory signature = _sign(_authorisationDigest(typehash, at, at + 10));
        vm.expectRevert("EIP3009: authorization is not yet valid");
        usdt.transferWithAuthorization(OWNER, OTHER, 5, at, at + 10, NONCE, signature);
        vm.warp(at + 10);
        vm.expectRevert("EIP3009: authorization is expired");
        usdt.transferWithAuthorization(OWNER, OTHER, 5, at, at + 10, NONCE, signature);
        vm.warp(at + 1);
        vm.expectRevert("EIP3009: invalid signature");
        usdt.transferWithAuthorization(OWNER, OTHER, 6, at, at + 10, NONCE, signature);
        usdt.transferWithAuthorization(OWNER, OTHER, 5, at, at + 10, NONCE, signature);
        vm.assertEq(usdt.balanceOf(OTHER), 5);
        vm.assertTrue(usdt.authorizationState(OWNER, NONCE));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _authorisationDigest(typehash, at, at + 10));
        vm.expectRevert("EIP3009: authorization is used or canceled");
        usdt.transferWithAuthorization(OWNER, OTHER, 5, at, at + 10, NONCE, v, r, s);
    }

    function testOnlyThePayeeReceivesWithAnAuthorisation() public {
        bytes32 typehash = keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        uint256 at = block.timestamp;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, _authorisationDigest(typehash, at - 1, at + 10));
        vm.expectRevert("EIP3009: caller must be the payee");
        usdt.receiveWithAuthorization(OWNER, OTHER, 5, at - 1, at + 10, NONCE, v, r, s);
        vm.prank(OTHER);
        usdt.receiveWithAuthorization(OWNER, OTHER, 5, at - 1, at + 10, NONCE, v, r, s);
        vm.assertEq(usdt.balanceOf(OTHER), 5);
    }

    function _permitDigest(address owner, uint256 value, uint256 deadline) private view returns (bytes32) {
        bytes32 typehash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        return _digest(keccak256(abi.encode(typehash, owner, OTHER, value, usdt.nonces(owner), deadline)));
    }

    function _authorisationDigest(bytes32 typehash, uint256 validAfter, uint256 validBefore)
        private
        view
        returns (bytes32)
    {
        return _digest(
            keccak256(abi.encode(typehash, OWNER, OTHER, uint256(5), validAfter, validBefore, NONCE))
        );
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", usdt.DOMAIN_SEPARATOR(), structHash));
    }

    function _sign(bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, digest);
        return abi.encodePacked(r, s, v);
    }
}
