// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {DailyCap} from "../../src/libraries/DailyCap.sol";
import {PublicDelay} from "../../src/libraries/PublicDelay.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev The daily caps: lowered at once, raised after a wait in public.
contract RifBankCapsTest is BankFixture {
    function testTheCapIsLoweredAtOnce() public {
        _fill(USDT_CAP, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 100);
        bank.claim(voucher, _signClaim(voucher));

        vm.expectEmit(address(bank));
        emit IRifBank.DailyCapChanged(address(usdt), USDT_CAP, 60);
        vm.prank(ADMIN);
        bank.lowerDailyCap(address(usdt), 60);
        vm.assertEq(bank.remainingToday(address(usdt)), 0);
        vm.assertEq(bank.outflowToday(address(usdt)), 100);

        vm.warp(block.timestamp + 1 days);
        vm.assertEq(bank.remainingToday(address(usdt)), 60);
    }

    function testALowerCapMustBeLowerAndARaiseHigher() public {
        vm.startPrank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapNotLower.selector, USDT_CAP, USDT_CAP));
        bank.lowerDailyCap(address(usdt), USDT_CAP);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapNotHigher.selector, USDT_CAP, USDT_CAP));
        bank.queueCapRaise(address(usdt), USDT_CAP);
        vm.expectRevert(abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        bank.lowerDailyCap(STRANGER, 0);
        vm.expectRevert(abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        bank.queueCapRaise(STRANGER, 1);
        vm.stopPrank();
    }

    function testARaiseIsExecutableOnlyAfterItsDelay() public {
        uint256 executableAt = block.timestamp + 2 days;
        vm.expectEmit(address(bank));
        emit IRifBank.CapRaiseQueued(address(usdt), 2 * USDT_CAP, executableAt);
        vm.startPrank(ADMIN);
        bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
        (uint256 newCap, uint256 pendingAt) = bank.pendingCapRaise(address(usdt));
        vm.assertEq(newCap, 2 * USDT_CAP);
        vm.assertEq(pendingAt, executableAt);

        vm.warp(executableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeCapRaise(address(usdt));
        vm.assertEq(bank.dailyCap(address(usdt)), USDT_CAP);

        vm.warp(executableAt);
        vm.expectEmit(address(bank));
        emit IRifBank.DailyCapChanged(address(usdt), USDT_CAP, 2 * USDT_CAP);
        bank.executeCapRaise(address(usdt));
        vm.assertEq(bank.dailyCap(address(usdt)), 2 * USDT_CAP);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        bank.executeCapRaise(address(usdt));
        vm.stopPrank();
    }

    function testTheTimelockIsTwoDaysAndItsWindowSeven() public view {
        vm.assertEq(bank.CHANGE_DELAY(), 2 days);
        vm.assertEq(bank.CHANGE_WINDOW(), 7 days);
    }

    function testARaiseExpiresAndASecondOneRestartsTheTimelock() public {
        vm.startPrank(ADMIN);
        bank.queueCapRaise(address(amc), 2 * AMC_CAP);
        vm.warp(block.timestamp + 1 days);
        vm.expectEmit(address(bank));
        emit IRifBank.CapRaiseCancelled(address(amc));
        bank.queueCapRaise(address(amc), AMC_CAP + 1);
        uint256 executableAt = block.timestamp + bank.CHANGE_DELAY();
        vm.warp(block.timestamp + 1 days);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeCapRaise(address(amc));

        uint256 expiresAt = executableAt + bank.CHANGE_WINDOW();
        vm.warp(expiresAt + 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.ExecutionExpired.selector, expiresAt));
        bank.executeCapRaise(address(amc));
        vm.warp(expiresAt);
        bank.executeCapRaise(address(amc));
        vm.assertEq(bank.dailyCap(address(amc)), AMC_CAP + 1);
        vm.stopPrank();
    }

    function testARaiseIsCancelledByTheGuardianThePauserTheAdminOrALowering() public {
        address[3] memory cancellers = [GUARDIAN, PAUSER, ADMIN];
        for (uint256 i = 0; i < cancellers.length; i++) {
            vm.prank(ADMIN);
            bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
            vm.expectEmit(address(bank));
            emit IRifBank.CapRaiseCancelled(address(usdt));
            vm.prank(cancellers[i]);
            bank.cancelCapRaise(address(usdt));
            _expectNothingQueued();
        }
        vm.startPrank(ADMIN);
        bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
        vm.expectEmit(address(bank));
        emit IRifBank.CapRaiseCancelled(address(usdt));
        bank.lowerDailyCap(address(usdt), USDT_CAP - 1);
        vm.stopPrank();
        _expectNothingQueued();

        vm.expectRevert(PublicDelay.NothingQueued.selector);
        vm.prank(PAUSER);
        bank.cancelCapRaise(address(usdt));
    }

    function testARaiseAtMostDoublesTheCap() public {
        vm.startPrank(ADMIN);
        vm.expectRevert(
            abi.encodeWithSelector(DailyCap.CapRaiseTooLarge.selector, 2 * USDT_CAP, 2 * USDT_CAP + 1)
        );
        bank.queueCapRaise(address(usdt), 2 * USDT_CAP + 1);
        bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
        vm.stopPrank();
    }

    function testALoweredCapCanBeRestoredToThatOfTheCreationInOneRaise() public {
        vm.startPrank(ADMIN);
        bank.lowerDailyCap(address(usdt), 0);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapRaiseTooLarge.selector, USDT_CAP, USDT_CAP + 1));
        bank.queueCapRaise(address(usdt), USDT_CAP + 1);
        bank.queueCapRaise(address(usdt), USDT_CAP);
        vm.warp(block.timestamp + bank.CHANGE_DELAY());
        bank.executeCapRaise(address(usdt));
        vm.stopPrank();
        vm.assertEq(bank.dailyCap(address(usdt)), USDT_CAP);
    }

    function testFuzzNoSequenceOfRaisesExceedsTwiceTheCapInADelay(uint256[6] calldata wishes) public {
        for (uint256 i = 0; i < wishes.length; i++) {
            uint256 cap = bank.dailyCap(address(usdt));
            uint256 wish = _bound(wishes[i], cap + 1, 3 * cap);
            vm.startPrank(ADMIN);
            if (wish > 2 * cap) {
                vm.expectRevert(abi.encodeWithSelector(DailyCap.CapRaiseTooLarge.selector, 2 * cap, wish));
            }
            bank.queueCapRaise(address(usdt), wish);
            if (wish <= 2 * cap) {
                vm.warp(block.timestamp + bank.CHANGE_DELAY());
                bank.executeCapRaise(address(usdt));
                vm.assertEq(bank.dailyCap(address(usdt)), wish);
            }
            vm.stopPrank();
        }
    }

    function _expectNothingQueued() private view {
        (uint256 newCap, uint256 executableAt) = bank.pendingCapRaise(address(usdt));
        vm.assertEq(newCap, 0);
        vm.assertEq(executableAt, 0);
    }
}
