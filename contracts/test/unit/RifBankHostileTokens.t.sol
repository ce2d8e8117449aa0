// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {ExactTransfer} from "../../src/libraries/ExactTransfer.sol";
import {BankFixture, IApprove} from "../support/BankFixture.sol";
import {
    FalseToken,
    ReentrantToken,
    SilentToken,
    SkewedToken,
    SurchargeToken
} from "../support/HostileTokens.sol";

interface IMint {
    function mint(address to, uint256 amount) external;
}

/// @dev Misbehaving stablecoins, which can make calls fail but must never falsify the records of the bank.
contract RifBankHostileTokensTest is BankFixture {
    address private token;

    function testRefusesInexactPayments() public {
        SkewedToken skewed = new SkewedToken();
        _useToken(address(skewed));
        int256[2] memory skews = [int256(-1), int256(1)];
        for (uint256 i = 0; i < skews.length; i++) {
            skewed.setSkew(skews[i]);
            uint256 expected = skewed.balanceOf(address(bank)) + 700e6;
            bytes memory reason = _inexact(address(bank), expected, uint256(int256(expected) + skews[i]));
            _expectNoPayment(reason);
            _expectNoDeposit(reason);
        }
        skewed.setSkew(0);
        _pay(_order(1));
    }

    function testRefusesInexactClaims() public {
        SkewedToken skewed = new SkewedToken();
        _useToken(address(skewed));
        uint256 before = skewed.balanceOf(MEMBER);
        skewed.setSkew(-1);
        _expectNoClaim(_inexact(MEMBER, before + 1e6, before + 1e6 - 1));
        skewed.setSkew(1);
        _expectNoClaim(_inexact(MEMBER, before + 1e6, before + 1e6 + 1));
        skewed.setSkew(0);
        _claim();
    }

    function testRefusesAClaimThatDebitsTheBankMore() public {
        _useToken(address(new SurchargeToken()));
        uint256 before = IERC20(token).balanceOf(address(bank));
        _expectNoClaim(_inexact(address(bank), before - 1e6, before - 1e6 - 1));
    }

    function testRefusesAPaymentThatDebitsThePayerMore() public {
        _useToken(address(new SurchargeToken()));
        uint256 before = IERC20(token).balanceOf(MEMBER);
        bytes memory reason = _inexact(MEMBER, before - 700e6, before - 700e6 - 1);
        _expectNoPayment(reason);
        _expectNoDeposit(reason);
        vm.assertEq(IERC20(token).balanceOf(MEMBER), before);
    }

    function testRefusesATokenThatReturnsFalse() public {
        _useToken(address(new FalseToken()));
        bytes memory reason = abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token);
        _expectNoPayment(reason);
        _expectNoDeposit(reason);
        _expectNoClaim(reason);
    }

    function testWorksWithATokenThatReturnsNothing() public {
        _useToken(address(new SilentToken()));
        uint256 before = IERC20(token).balanceOf(address(bank));
        _pay(_order(1));
        _claim();
        vm.assertEq(IERC20(token).balanceOf(address(bank)), before + 700e6 - 1e6);
    }

    /// @dev The issuer of USDT can block accounts. A blocked bank pays no USDT; nothing is marked, AMC is not affected.
    function testABlockedBankPaysLater() public {
        _fill(1e6, 1e18);
        usdt.addToBlockedList(address(bank));
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _signClaim(voucher);
        vm.expectRevert("Blocked: transfers are blocked for user");
        bank.claim(voucher, signature);
        vm.assertFalse(_isClaimed(voucher));
        IRifBank.Claim memory inAmc = _voucher(2, address(amc), 1e18);
        bank.claim(inAmc, _signClaim(inAmc));

        usdt.removeFromBlockedList(address(bank));
        bank.claim(voucher, signature);
        vm.assertEq(usdt.balanceOf(MEMBER), 1e6);
    }

    function testATokenCannotReenterAnything() public {
        ReentrantToken reentrant = new ReentrantToken();
        _useToken(address(reentrant));
        IRifBank.Order memory order = _order(1);
        IRifBank.Claim memory voucher = _voucher(1, token, 1e6);
        IRifBank.Claim memory another = _voucher(2, token, 1e6);
        bytes[4] memory attacks = [
            abi.encodeCall(bank.payOrder, (order, _signOrder(order))),
            abi.encodeCall(
                bank.payOrderWithPermit, (order, _signOrder(order), 0, 27, bytes32(0), bytes32(0))
            ),
            abi.encodeCall(bank.claim, (another, _signClaim(another))),
            abi.encodeCall(bank.depositRevenue, ("mining", token, 1, bytes32(0)))
        ];
        for (uint256 i = 0; i < attacks.length; i++) {
            uint256 balance = reentrant.balanceOf(address(bank));
            reentrant.arm(address(bank), attacks[i]);
            _pay(_order(100 + i));
            _expectAttackFailed(reentrant);
            vm.assertEq(reentrant.balanceOf(address(bank)), balance + 700e6);

            reentrant.arm(address(bank), attacks[i]);
            voucher.withdrawalId = 200 + i;
            bank.claim(voucher, _signClaim(voucher));
            _expectAttackFailed(reentrant);
            vm.assertEq(reentrant.balanceOf(address(bank)), balance + 699e6);
            vm.assertEq(bank.outflowToday(token), 1e6 * (i + 1));
        }
        vm.assertFalse(_isClaimed(another));
    }

    function _useToken(address token_) private {
        token = token_;
        IMint(token).mint(MEMBER, MINTED);
        bank = _deployBank(token, address(amc));
        IMint(token).mint(address(bank), 10_000e6);
        amc.transfer(MEMBER, 10_000e18);
        vm.startPrank(MEMBER);
        IApprove(token).approve(address(bank), type(uint256).max);
        amc.approve(address(bank), type(uint256).max);
        vm.stopPrank();
    }

    function _claim() private {
        IRifBank.Claim memory voucher = _voucher(1, token, 1e6);
        bank.claim(voucher, _signClaim(voucher));
    }

    function _expectNoPayment(bytes memory reason) private {
        IRifBank.Order memory order = _order(1);
        bytes memory signature = _signOrder(order);
        vm.expectRevert(reason);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
        vm.assertFalse(bank.orderPaid(1, MEMBER));
    }

    function _expectNoDeposit(bytes memory reason) private {
        vm.expectRevert(reason);
        vm.prank(MEMBER);
        bank.depositRevenue("mining", token, 700e6, bytes32(0));
        vm.assertEq(bank.depositCount(), 0);
    }

    function _expectNoClaim(bytes memory reason) private {
        IRifBank.Claim memory voucher = _voucher(1, token, 1e6);
        bytes memory signature = _signClaim(voucher);
        vm.expectRevert(reason);
        bank.claim(voucher, signature);
        vm.assertFalse(_isClaimed(voucher));
        vm.assertEq(bank.outflowToday(token), 0);
    }

    function _expectAttackFailed(ReentrantToken reentrant) private view {
        vm.assertTrue(reentrant.attempted());
        vm.assertEq(
            reentrant.failure(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }

    function _inexact(address account, uint256 expected, uint256 actual) private view returns (bytes memory) {
        return
            abi.encodeWithSelector(ExactTransfer.InexactTransfer.selector, token, account, expected, actual);
    }
}
