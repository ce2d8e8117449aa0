// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {Coverage} from "../../src/libraries/Coverage.sol";
import {PublicDelay} from "../../src/libraries/PublicDelay.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Treasury payouts and fund investments: announced, executed, cancelled, refused.
contract RifBankExitsTest is BankFixture {
    function setUp() public override {
        super.setUp();
        _listVault();
        _fill(1_000e6, 1_000e18);
    }

    function testAnybodyExecutesAnExitAfterTwoDaysInPublic() public {
        IBankExits.Exit memory exit = _payout(7, address(amc), 30e18);
        uint256 executableAt = block.timestamp + 2 days;
        vm.expectEmit(address(bank));
        emit IBankExits.ExitAnnounced(7, 0, 0, address(amc), VAULT, 30e18, executableAt);
        _announce(exit);
        _expectState(7, IBankExits.ExitState.Announced);
        (, uint256 since, bytes32 hash) = bank.exitOf(7);
        vm.assertEq(since, executableAt);
        vm.assertEq(hash, keccak256(abi.encode(exit)));
        _publish(0, 0, 970e18);

        vm.warp(executableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeExit(exit);

        vm.warp(executableAt);
        vm.expectEmit(address(bank));
        emit IBankExits.ExitExecuted(7, 0, 0, address(amc), VAULT, 30e18);
        vm.prank(STRANGER);
        bank.executeExit(exit);
        vm.assertEq(amc.balanceOf(VAULT), 30e18);
        vm.assertEq(amc.balanceOf(address(bank)), 970e18);
        vm.assertEq(bank.coverOf(address(amc)).held, 970e18);
        _expectState(7, IBankExits.ExitState.Executed);
    }

    function testAnExitIsExecutedOnceAndItsIdIsUsedForEver() public {
        IBankExits.Exit memory exit = _payout(7, address(usdt), 10e6);
        _announceAndWait(exit);
        _publish(0, 0, 0);
        bank.executeExit(exit);
        bytes memory notAnnounced = abi.encodeWithSelector(IBankExits.ExitNotAnnounced.selector, 7);
        vm.expectRevert(notAnnounced);
        bank.executeExit(exit);
        vm.startPrank(TREASURER);
        vm.expectRevert(notAnnounced);
        bank.cancelExit(7);
        bytes memory used = abi.encodeWithSelector(IBankExits.ExitIdUsed.selector, 7);
        vm.expectRevert(used);
        bank.announceExit(exit);

        bank.announceExit(_payout(8, address(usdt), 10e6));
        bank.cancelExit(8);
        vm.expectRevert(abi.encodeWithSelector(IBankExits.ExitIdUsed.selector, 8));
        bank.announceExit(_payout(8, address(usdt), 10e6));
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(VAULT), 10e6);
    }

    function testNoOtherTermsAreExecutedUnderAnAnnouncedId() public {
        _announceAndWait(_payout(7, address(usdt), 10e6));
        _publish(0, 1_000e6, 0);
        IBankExits.Exit[6] memory others;
        for (uint256 i = 0; i < others.length; i++) {
            others[i] = _payout(7, address(usdt), 10e6);
        }
        others[0].amount = 10e6 + 1;
        others[1].token = address(amc);
        others[2].to = STRANGER;
        others[3].kind = 1;
        others[4].productId = 5;
        others[5].exitId = 8;
        for (uint256 i = 0; i < others.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IBankExits.ExitNotAnnounced.selector, others[i].exitId));
            bank.executeExit(others[i]);
        }
    }

    function testAnExitLapsesAfterItsWindow() public {
        IBankExits.Exit memory exit = _payout(7, address(usdt), 10e6);
        _announceAndWait(exit);
        uint256 expiresAt = block.timestamp + bank.CHANGE_WINDOW();
        vm.warp(expiresAt + 1);
        _publish(0, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.ExecutionExpired.selector, expiresAt));
        bank.executeExit(exit);
        vm.warp(expiresAt);
        bank.executeExit(exit);
    }

    function testAnExitIsCancelledByTheGuardianThePauserTheAdminOrTheTreasurer() public {
        address[4] memory cancellers = [GUARDIAN, PAUSER, ADMIN, TREASURER];
        for (uint256 i = 0; i < cancellers.length; i++) {
            IBankExits.Exit memory exit = _payout(i, address(usdt), 10e6);
            _announceAndWait(exit);
            vm.expectEmit(address(bank));
            emit IBankExits.ExitCancelled(i);
            vm.prank(cancellers[i]);
            bank.cancelExit(i);
            _expectState(i, IBankExits.ExitState.Cancelled);
            _publish(0, 0, 0);
            vm.expectRevert(abi.encodeWithSelector(IBankExits.ExitNotAnnounced.selector, i));
            bank.executeExit(exit);
        }
        vm.expectRevert(abi.encodeWithSelector(IBankExits.ExitNotAnnounced.selector, 99));
        vm.prank(GUARDIAN);
        bank.cancelExit(99);
    }

    function testRefusesAnnouncementsThatMakeNoSense() public {
        vm.startPrank(TREASURER);
        IBankExits.Exit memory exit = _payout(1, STRANGER, 1);
        vm.expectRevert(abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        bank.announceExit(exit);
        exit = _payout(1, address(usdt), 0);
        vm.expectRevert(IBankHandOver.ZeroAmount.selector);
        bank.announceExit(exit);
        exit = _payout(1, address(usdt), 1);
        exit.to = STRANGER;
        vm.expectRevert(abi.encodeWithSelector(IBankExits.NotListed.selector, STRANGER));
        bank.announceExit(exit);

        IBankExits.Exit[4] memory unsound;
        unsound[0] = _payout(1, address(usdt), 1);
        unsound[0].productId = 5;
        unsound[1] = _investment(1, 1);
        unsound[1].productId = 0;
        unsound[2] = _investment(1, 1);
        unsound[2].token = address(amc);
        unsound[3] = _investment(1, 1);
        unsound[3].kind = 2;
        for (uint256 i = 0; i < unsound.length; i++) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IBankExits.InvalidExit.selector, unsound[i].kind, unsound[i].productId, unsound[i].token
                )
            );
            bank.announceExit(unsound[i]);
        }
        vm.stopPrank();
    }

    /// @dev The exit is announced while it is not covered, refused until it is, and then executed.
    function testAPayoutIsRefusedBelowThePublishedLiabilities() public {
        IBankExits.Exit memory exit = _payout(1, address(usdt), 100e6);
        _announceAndWait(exit);
        _expectNotCovered(exit, 0);
        _publish(800e6, 100e6 + 1, 0);
        _expectNotCovered(exit, 100e6 - 1);
        vm.warp(block.timestamp + 1 days);
        _publish(800e6, 100e6, 0);
        bank.executeExit(exit);
        vm.assertEq(usdt.balanceOf(address(bank)), 900e6);
    }

    function testAnExitWithAnOldPublicationWaitsForTheNext() public {
        _publish(0, 0, 0);
        IBankExits.Exit memory exit = _payout(1, address(usdt), 100e6);
        _announce(exit);
        vm.warp(block.timestamp + 48 hours + 1);
        _expectNotCovered(exit, 0);
        _publish(0, 0, 0);
        bank.executeExit(exit);
    }

    /// @dev The publication of the execution counts, not the one of the announcement.
    function testAPublicationBetweenAnnouncementAndExecutionCounts() public {
        _publish(0, 0, 0);
        IBankExits.Exit memory exit = _payout(1, address(usdt), 100e6);
        _announceAndWait(exit);
        _publish(950e6, 0, 0);
        _expectNotCovered(exit, 50e6);
    }

    function testClaimsBetweenPublicationAndExitAreNotPaidOutTwice() public {
        IBankExits.Exit memory exit = _payout(1, address(usdt), 100e6);
        _announceAndWait(exit);
        _publish(900e6, 0, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1);
        bank.claim(voucher, _signClaim(voucher));
        _fill(1_000e6, 0);
        _expectNotCovered(exit, 100e6 - 1);
    }

    function testSeveralPayoutsTogetherStayAboveThePublishedLiabilities() public {
        for (uint256 i = 1; i <= 3; i++) {
            _announce(_payout(i, address(usdt), 40e6));
        }
        vm.warp(block.timestamp + 2 days);
        _publish(900e6, 0, 0);
        bank.executeExit(_payout(1, address(usdt), 40e6));
        bank.executeExit(_payout(2, address(usdt), 40e6));
        _expectNotCovered(_payout(3, address(usdt), 40e6), 20e6);
    }

    function testAnInvestmentTakesTheFundsCashAndNothingElse() public {
        _announce(_investment(1, 60e6));
        _announce(_investment(2, 40e6));
        _announce(_investment(3, 1));
        _announce(_payout(4, address(usdt), 1));
        vm.warp(block.timestamp + 2 days);
        _publish(900e6, 100e6, 0);
        vm.expectEmit(address(bank));
        emit IBankExits.ExitExecuted(1, 1, 5, address(usdt), VAULT, 60e6);
        bank.executeExit(_investment(1, 60e6));
        IBankExits.Cover memory cover = bank.coverOf(address(usdt));
        vm.assertEq(cover.invested, 60e6);
        vm.assertEq(cover.held, 940e6);
        bank.executeExit(_investment(2, 40e6));
        // Both conditions now hold with equality: nothing is left to invest, and nothing to pay out.
        _expectNotCovered(_investment(3, 1), 0);
        _expectNotCovered(_payout(4, address(usdt), 1), 0);
        vm.assertEq(usdt.balanceOf(address(bank)), 900e6);
    }

    /// @dev Whatever else the bank holds, the fund's cash is invested once.
    function testSeveralInvestmentsTogetherTakeNoMoreThanTheFundsCash() public {
        _announce(_investment(1, 60e6));
        _announce(_investment(2, 40e6));
        _announce(_investment(3, 1));
        vm.warp(block.timestamp + 2 days);
        _publish(500e6, 100e6, 0);
        bank.executeExit(_investment(1, 60e6));
        bank.executeExit(_investment(2, 40e6));
        _expectNotCovered(_investment(3, 1), 0);
    }

    function testAnInvestmentIsRefusedWhileTheLiabilitiesAreNotCovered() public {
        _announceAndWait(_investment(1, 1));
        _publish(900e6, 100e6 + 1, 0);
        _expectNotCovered(_investment(1, 1), 0);
    }

    function testAPublicationAfterAnInvestmentCountsFromZero() public {
        _announce(_investment(1, 60e6));
        _announce(_investment(2, 41e6));
        vm.warp(block.timestamp + 2 days);
        _publish(900e6, 100e6, 0);
        bank.executeExit(_investment(1, 60e6));
        vm.warp(block.timestamp + 1 days);
        _publish(900e6, 40e6, 0);
        vm.assertEq(bank.coverOf(address(usdt)).invested, 0);
        vm.assertEq(bank.coverOf(address(usdt)).held, 940e6);
        _expectNotCovered(_investment(2, 41e6), 40e6);
    }

    function testExitsUseNothingOfTheClaimsCap() public {
        IBankExits.Exit memory exit = _payout(1, address(usdt), 1_000e6);
        _announceAndWait(exit);
        _publish(0, 0, 0);
        bank.executeExit(exit);
        vm.assertEq(bank.outflowToday(address(usdt)), 0);
    }

    /// @dev A stolen publisher key can free the operator's money, and even the members': an announced exit still waits two
    /// days in public, goes to a listed destination only, and any guardian can cancel it.
    function testAFalsePublicationOfZeroLiabilitiesFreesOnlyAnnouncedExits() public {
        _announce(_payout(1, address(usdt), 1_000e6));
        _publish(0, 0, 0);
        vm.expectPartialRevert(PublicDelay.NotExecutableYet.selector);
        bank.executeExit(_payout(1, address(usdt), 1_000e6));
        vm.prank(GUARDIAN);
        bank.cancelExit(1);
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(abi.encodeWithSelector(IBankExits.ExitNotAnnounced.selector, 1));
        bank.executeExit(_payout(1, address(usdt), 1_000e6));
    }

    function testAStolenTreasurerKeyAnnouncesNothingAfterItsDismissal() public {
        bytes32 role = bank.TREASURER_ROLE();
        vm.prank(ADMIN);
        bank.revokeRole(role, TREASURER);
        vm.startPrank(TREASURER);
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, TREASURER, role)
        );
        bank.announceExit(_payout(1, address(usdt), 1));
        vm.stopPrank();
    }

    /// @dev A waiting exit keeps the guardian in office, at any stage.
    function testTheGuardianStaysWhileExitsOrDestinationsWait() public {
        vm.prank(ADMIN);
        bank.queueGuardianRemoval(GUARDIAN);
        _announceAndWait(_payout(1, address(usdt), 1));
        bytes memory reason = abi.encodeWithSelector(IBankRoles.ChangesAreQueued.selector);
        vm.startPrank(ADMIN);
        vm.expectRevert(reason);
        bank.executeGuardianRemoval(GUARDIAN);
        bank.cancelExit(1);
        bank.queueDestination(STRANGER);
        vm.expectRevert(reason);
        bank.executeGuardianRemoval(GUARDIAN);
        bank.cancelDestination(STRANGER);
        vm.stopPrank();
        _announceAndWait(_payout(2, address(usdt), 1));
        _publish(0, 0, 0);
        vm.startPrank(ADMIN);
        vm.expectRevert(reason);
        bank.executeGuardianRemoval(GUARDIAN);
        bank.executeExit(_payout(2, address(usdt), 1));
        bank.executeGuardianRemoval(GUARDIAN);
        vm.stopPrank();
    }

    /// @dev The formulas of docs/rules.md for any figures; the model uses signed numbers without a floor.
    function testFuzzExitsKeepToTheFormulas(
        uint64 liabilities,
        uint64 fundCash,
        uint64 claimed,
        uint64 paidOut,
        uint64 invested,
        uint64 cameIn
    ) public {
        uint256 balance = 1_000e6;
        liabilities = uint64(_bound(liabilities, 0, 1_200e6));
        fundCash = uint64(_bound(fundCash, 0, 1_200e6 - liabilities));
        claimed = uint64(_bound(claimed, 1, 1_000e6));
        paidOut = uint64(_bound(paidOut, 1, 600e6));
        invested = uint64(_bound(invested, 1, 600e6));
        cameIn = uint64(_bound(cameIn, 0, 1_000e6));
        _announce(_payout(1, address(usdt), paidOut));
        _announce(_investment(2, invested));
        _announceAndWait(_payout(3, address(usdt), paidOut));
        _publish(liabilities, fundCash, 0);
        usdt.mint(address(bank), cameIn);

        int256 held = int256(balance);
        int256 owed = int256(uint256(liabilities)) + int256(uint256(fundCash));
        int256 sinceInvested;
        bool fits = held - int256(uint256(paidOut)) >= owed;
        vm.assertEq(_execute(_payout(1, address(usdt), paidOut)), fits, "payout");
        if (fits) held -= int256(uint256(paidOut));

        fits = invested <= fundCash && held - int256(uint256(invested)) >= owed - int256(uint256(invested));
        vm.assertEq(_execute(_investment(2, invested)), fits, "investment");
        if (fits) {
            held -= int256(uint256(invested));
            sinceInvested = int256(uint256(invested));
        }

        IRifBank.Claim memory voucher = _voucher(1, address(usdt), claimed);
        if (claimed <= usdt.balanceOf(address(bank))) {
            bank.claim(voucher, _signClaim(voucher));
            held -= int256(uint256(claimed));
        }
        fits = held - int256(uint256(paidOut)) >= owed - sinceInvested;
        vm.assertEq(_execute(_payout(3, address(usdt), paidOut)), fits, "payout after a claim");
    }

    function _execute(IBankExits.Exit memory exit) private returns (bool ok) {
        (ok,) = address(bank).call(abi.encodeCall(bank.executeExit, (exit)));
    }

    function _expectNotCovered(IBankExits.Exit memory exit, uint256 allowed) private {
        vm.expectRevert(abi.encodeWithSelector(Coverage.NotCovered.selector, allowed, exit.amount));
        bank.executeExit(exit);
    }

    function _expectState(uint256 exitId, IBankExits.ExitState expected) private view {
        (IBankExits.ExitState state,,) = bank.exitOf(exitId);
        vm.assertEq(uint256(state), uint256(expected));
    }
}
