// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {Coverage} from "../../src/libraries/Coverage.sol";
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

    /// @dev The issuer of USDT can block accounts. A blocked bank pays no USDT; no claim is marked as paid, and AMC is not affected.
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
        IBankExits.AssetTotals[] memory totals = new IBankExits.AssetTotals[](2);
        bytes[7] memory attacks = [
            abi.encodeCall(bank.payOrder, (order, _signOrder(order))),
            abi.encodeCall(
                bank.payOrderWithPermit, (order, _signOrder(order), 0, 27, bytes32(0), bytes32(0))
            ),
            abi.encodeCall(bank.claim, (another, _signClaim(another))),
            abi.encodeCall(bank.depositRevenue, ("mining", token, 1, bytes32(0))),
            abi.encodeCall(bank.executeExit, (_payout(1, token, 1))),
            abi.encodeCall(bank.publishSolvency, (1, "root", _heads(), totals)),
            abi.encodeCall(bank.executeHandOver, ())
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

    /// @dev An exit that a token falsifies is refused and can be executed later.
    function testRefusesInexactExits() public {
        SkewedToken skewed = new SkewedToken();
        _useToken(address(skewed));
        _announceForToken(10_000e6);
        skewed.setSkew(-1);
        _expectNoExit(_inexact(VAULT, 1e6, 1e6 - 1));
        skewed.setSkew(1);
        _expectNoExit(_inexact(VAULT, 1e6, 1e6 + 1));
        skewed.setSkew(0);
        bank.executeExit(_payout(1, token, 1e6));
        vm.assertEq(skewed.balanceOf(VAULT), 1e6);
    }

    /// @dev During an exit and a hand-over, a token calls everything that moves money, and the exit itself again.
    function testATokenCannotReenterAnExitOrAHandOver() public {
        ReentrantToken reentrant = new ReentrantToken();
        _useToken(address(reentrant));
        RifBank next = _useSuccessor();
        uint256 balance = reentrant.balanceOf(address(bank));
        IRifBank.Claim memory voucher = _voucher(1, token, 1e6);
        voucher.deadline = type(uint256).max;
        bytes[5] memory attacks = [
            abi.encodeCall(bank.executeExit, (_payout(1, token, 1e6))),
            abi.encodeCall(bank.executeExit, (_payout(9, token, 1e6))),
            abi.encodeCall(bank.claim, (voucher, _signClaim(voucher))),
            abi.encodeCall(bank.executeHandOver, ()),
            abi.encodeCall(bank.depositRevenue, ("mining", token, 1, bytes32(0)))
        ];
        vm.prank(ADMIN);
        bank.queueHandOver(address(next));
        _listVault();
        for (uint256 i = 0; i < attacks.length; i++) {
            _announce(_payout(i + 1, token, 1e6));
        }
        _announce(_payout(9, token, 1e6));
        vm.warp(block.timestamp + 5 days);
        _publish(0, 0, 0);
        for (uint256 i = 0; i < attacks.length; i++) {
            reentrant.arm(address(bank), attacks[i]);
            bank.executeExit(_payout(i + 1, token, 1e6));
            _expectAttackFailed(reentrant);
        }
        vm.assertEq(reentrant.balanceOf(VAULT), 5e6);
        reentrant.arm(address(bank), attacks[2]);
        vm.prank(ADMIN);
        bank.executeHandOver();
        _expectAttackFailed(reentrant);
        vm.assertEq(reentrant.balanceOf(address(next)), balance - 5e6);
    }

    /// @dev A token that destroyed holdings of the bank lowers the covered amount, although no transfer left.
    function testHoldingsThatATokenTookAwayCoverNothing() public {
        SilentToken silent = new SilentToken();
        _useToken(address(silent));
        _announceForToken(10_000e6 - 5e6);
        (uint256 payout,) = bank.coveredExits(token);
        vm.assertEq(payout, 10_000e6 - 5e6);
        uint256 balance = silent.balanceOf(address(bank));
        vm.prank(address(bank));
        silent.transfer(address(0xDEAD), balance - 5e6);
        (payout,) = bank.coveredExits(token);
        vm.assertEq(payout, 0);
        vm.expectPartialRevert(Coverage.NotCovered.selector);
        bank.executeExit(_payout(1, token, 1e6));
    }

    /// @dev A token that cannot be moved stops the whole hand-over: no part is handed over, and members can claim.
    function testABlockedBankHandsOverLater() public {
        _fill(5e6, 5e18);
        RifBank next = _useSuccessor();
        vm.prank(ADMIN);
        bank.queueHandOver(address(next));
        vm.warp(block.timestamp + 7 days);
        usdt.addToBlockedList(address(bank));
        vm.expectRevert("Blocked: transfers are blocked for user");
        vm.prank(ADMIN);
        bank.executeHandOver();
        vm.assertFalse(bank.handedOver());
        IRifBank.Claim memory inAmc = _voucher(2, address(amc), 1e18);
        bank.claim(inAmc, _signClaim(inAmc));
        usdt.removeFromBlockedList(address(bank));
        vm.prank(ADMIN);
        bank.executeHandOver();
        vm.assertEq(usdt.balanceOf(address(next)), 5e6);
        vm.assertEq(amc.balanceOf(address(next)), 4e18);
    }

    /// @dev Some tokens refuse a transfer of nothing.
    function testABankThatHoldsNothingOfATokenHandsOverTheOther() public {
        SilentToken silent = new SilentToken();
        silent.mint(address(this), MINTED);
        address[2][2] memory pairs = [[address(silent), address(amc)], [address(amc), address(silent)]];
        for (uint256 i = 0; i < pairs.length; i++) {
            bank = _deployBank(pairs[i][0], pairs[i][1]);
            amc.transfer(address(bank), 5e18);
            IRifBank.Config memory config = _config(pairs[i][0], pairs[i][1]);
            config.predecessor = address(bank);
            RifBank next = new RifBank(config);
            vm.startPrank(ADMIN);
            bank.queueHandOver(address(next));
            vm.warp(block.timestamp + 7 days);
            bank.executeHandOver();
            vm.stopPrank();
            vm.assertEq(amc.balanceOf(address(next)), 5e18);
        }
    }

    function _useSuccessor() private returns (RifBank) {
        IRifBank.Config memory config = _config(bank.usdt(), address(amc));
        config.predecessor = address(bank);
        return new RifBank(config);
    }

    /// @dev Announces an exit of 1 token, which can be executed, and publishes liabilities that leave `free` covered.
    function _announceForToken(uint128 free) private {
        _listVault();
        _announceAndWait(_payout(1, token, 1e6));
        IBankExits.AssetTotals[] memory totals = _totals(0, 0, 0);
        totals[0] = IBankExits.AssetTotals(token, 10_000e6 - free, 0);
        vm.prank(PUBLISHER);
        bank.publishSolvency(uint32(block.timestamp / 1 days) - 1, "root", _heads(), totals);
    }

    function _expectNoExit(bytes memory reason) private {
        vm.expectRevert(reason);
        bank.executeExit(_payout(1, token, 1e6));
        vm.assertEq(IERC20(token).balanceOf(VAULT), 0);
        vm.assertEq(bank.coverOf(token).held, 10_000e6);
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
