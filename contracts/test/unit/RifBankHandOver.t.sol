// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RifBank} from "../../src/RifBank.sol";
import {TestUsdt} from "../../src/TestUsdt.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {PublicDelay} from "../../src/libraries/PublicDelay.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Hand-over of a bank to its successor.
contract RifBankHandOverTest is BankFixture {
    RifBank private next;

    function setUp() public override {
        super.setUp();
        next = _successorOf(bank, address(usdt), address(amc));
        _listVault();
        _fill(1_000e6, 500e18);
    }

    function testMovesEverythingAfterSevenDaysAndClosesTheBankForEver() public {
        IRifBank.Order memory order = _order(2);
        order.deadline = block.timestamp + 30 days;
        bytes memory orderSignature = _signOrder(order);
        _fundAndApprove(order);
        uint256 executableAt = block.timestamp + 7 days;
        vm.expectEmit(address(bank));
        emit IBankHandOver.HandOverQueued(address(next), executableAt);
        _queue(next);
        (address pending, uint256 since) = bank.pendingHandOver();
        vm.assertEq(pending, address(next));
        vm.assertEq(since, executableAt);
        vm.warp(executableAt - 1);
        vm.prank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeHandOver();
        vm.assertFalse(bank.handedOver());

        // Members and the treasurer go on during these days.
        _pay(_paidOrder(1));
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 300e6);
        bank.claim(voucher, _signClaim(voucher));
        IBankExits.Exit memory exit = _payout(1, address(usdt), 100e6);
        _announceAndWait(exit);
        _announce(_payout(2, address(usdt), 1e6));
        _publish(0, 0, 0);
        bank.executeExit(exit);

        vm.expectEmit(address(bank));
        emit IBankHandOver.HandedOver(address(next), 1_300e6, 1_100e18);
        vm.prank(ADMIN);
        bank.executeHandOver();
        vm.assertEq(usdt.balanceOf(address(next)), 1_300e6);
        vm.assertEq(amc.balanceOf(address(next)), 1_100e18);
        vm.assertEq(usdt.balanceOf(address(bank)), 0);
        vm.assertEq(amc.balanceOf(address(bank)), 0);
        vm.assertTrue(bank.handedOver());
        vm.assertEq(bank.successor(), address(next));
        (pending, since) = bank.pendingHandOver();
        vm.assertEq(pending, address(0));
        vm.assertEq(since, 0);
        _fill(5_000e6, 5_000e18);
        _expectClosed(order, orderSignature);
    }

    /// @dev The new bank rejects the old bank's vouchers and pays a new one.
    function testTheSuccessorPaysFreshVouchersOnly() public {
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 300e6);
        voucher.deadline = type(uint256).max;
        bytes memory signature = _signClaim(voucher);
        _handOver();
        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        next.claim(voucher, signature);
        next.claim(voucher, _sign(CLAIM_KEY, next.hashClaim(voucher)));
        vm.assertEq(usdt.balanceOf(MEMBER), 300e6);
    }

    function testAnEmptyBankHandsOverNothingAndCloses() public {
        IBankExits.Exit memory usdtExit = _payout(1, address(usdt), 1_000e6);
        IBankExits.Exit memory amcExit = _payout(2, address(amc), 500e18);
        _announce(usdtExit);
        _announceAndWait(amcExit);
        _publish(0, 0, 0);
        bank.executeExit(usdtExit);
        bank.executeExit(amcExit);
        _queue(next);
        vm.warp(block.timestamp + 7 days);
        vm.expectEmit(address(bank));
        emit IBankHandOver.HandedOver(address(next), 0, 0);
        vm.prank(ADMIN);
        bank.executeHandOver();
        vm.assertTrue(bank.handedOver());
    }

    function testAHandOverIsCancelledByTheGuardianThePauserOrTheAdmin() public {
        address[3] memory cancellers = [GUARDIAN, PAUSER, ADMIN];
        for (uint256 i = 0; i < cancellers.length; i++) {
            _queue(next);
            vm.expectEmit(address(bank));
            emit IBankHandOver.HandOverCancelled(address(next));
            vm.startPrank(cancellers[i]);
            bank.cancelHandOver();
            vm.expectRevert(PublicDelay.NothingQueued.selector);
            bank.cancelHandOver();
            vm.stopPrank();
        }
        vm.warp(block.timestamp + 7 days);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        vm.prank(ADMIN);
        bank.executeHandOver();
    }

    function testASecondAnnouncementRestartsTheWaitAndTheWindowEnds() public {
        _queue(next);
        vm.warp(block.timestamp + 3 days);
        RifBank other = _successorOf(bank, address(usdt), address(amc));
        vm.expectEmit(address(bank));
        emit IBankHandOver.HandOverCancelled(address(next));
        _queue(other);
        uint256 executableAt = block.timestamp + 7 days;
        vm.warp(executableAt - 1);
        vm.startPrank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeHandOver();
        vm.warp(executableAt + 7 days + 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.ExecutionExpired.selector, executableAt + 7 days));
        bank.executeHandOver();
        vm.warp(executableAt + 7 days);
        bank.executeHandOver();
        vm.stopPrank();
        vm.assertEq(usdt.balanceOf(address(other)), 1_000e6);
    }

    function testAFirstAnnouncementCancelsNothing() public {
        vm.recordLogs();
        _queue(next);
        vm.assertEq(vm.getRecordedLogs().length, 1);
    }

    function testRefusesASuccessorThatIsNotOne() public {
        TestUsdt otherUsdt = new TestUsdt(6);
        otherUsdt.mint(address(0xDEAD), MINTED);
        address[5] memory unfit = [
            STRANGER,
            address(_deployBank(address(usdt), address(amc))),
            address(_successorOf(next, address(usdt), address(amc))),
            address(_successorOf(bank, address(otherUsdt), address(amc))),
            address(_successorOf(bank, address(usdt), address(otherUsdt)))
        ];
        vm.startPrank(ADMIN);
        for (uint256 i = 0; i < unfit.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IBankHandOver.InvalidSuccessor.selector, unfit[i]));
            bank.queueHandOver(unfit[i]);
        }
        // A token and the zero address do not implement the functions of a bank.
        vm.expectRevert();
        bank.queueHandOver(address(usdt));
        vm.expectRevert();
        bank.queueHandOver(address(0));
        vm.stopPrank();
    }

    /// @dev The holdings of two banks cannot end in one that is closed.
    function testRefusesASuccessorThatIsClosedItself() public {
        RifBank last = _successorOf(next, address(usdt), address(amc));
        _queue(next);
        vm.startPrank(ADMIN);
        next.queueHandOver(address(last));
        vm.warp(block.timestamp + 7 days);
        next.executeHandOver();
        bytes memory reason = abi.encodeWithSelector(IBankHandOver.InvalidSuccessor.selector, address(next));
        vm.expectRevert(reason);
        bank.executeHandOver();
        vm.expectRevert(reason);
        bank.queueHandOver(address(next));
        vm.stopPrank();
        vm.assertFalse(bank.handedOver());
    }

    function testTheGuardianStaysWhileAHandOverWaits() public {
        vm.prank(ADMIN);
        bank.queueGuardianRemoval(GUARDIAN);
        vm.warp(block.timestamp + 2 days);
        _queue(next);
        vm.startPrank(ADMIN);
        vm.expectRevert(IBankRoles.ChangesAreQueued.selector);
        bank.executeGuardianRemoval(GUARDIAN);
        bank.cancelHandOver();
        bank.executeGuardianRemoval(GUARDIAN);
        vm.stopPrank();
    }

    function testAnExitUnderWayIsCancelledInAClosedBankAndNeverExecuted() public {
        _announceAndWait(_payout(1, address(usdt), 1e6));
        _publish(0, 0, 0);
        _handOver();
        _fill(10e6, 0);
        vm.expectRevert(IBankHandOver.BankIsClosed.selector);
        bank.executeExit(_payout(1, address(usdt), 1e6));
        vm.prank(TREASURER);
        bank.cancelExit(1);
    }

    /// @dev Handed-over tokens cover nothing in the successor until it publishes.
    function testTheSuccessorsExitsNeedItsOwnPublication() public {
        _publish(100e6, 0, 0);
        _handOver();
        (uint256 payout,) = next.coveredExits(address(usdt));
        vm.assertEq(payout, 0);
        bank = next;
        _publish(100e6, 0, 0);
        (payout,) = next.coveredExits(address(usdt));
        vm.assertEq(payout, 900e6);
    }

    function _successorOf(RifBank old, address usdt_, address amc_) private returns (RifBank) {
        IRifBank.Config memory config = _config(usdt_, amc_);
        config.predecessor = address(old);
        return new RifBank(config);
    }

    function _queue(RifBank to) private {
        vm.prank(ADMIN);
        bank.queueHandOver(address(to));
    }

    function _handOver() private {
        vm.startPrank(ADMIN);
        bank.queueHandOver(address(next));
        vm.warp(block.timestamp + 7 days);
        bank.executeHandOver();
        vm.stopPrank();
    }

    function _paidOrder(uint256 id) private returns (IRifBank.Order memory order) {
        order = _order(id);
        _fundAndApprove(order);
    }

    function _expectClosed(IRifBank.Order memory order, bytes memory orderSignature) private {
        IRifBank.Claim memory voucher = _voucher(2, address(usdt), 1e6);
        IBankExits.AssetTotals[] memory totals = _totals(0, 0, 0);
        bytes[9] memory calls = [
            abi.encodeCall(bank.payOrder, (order, orderSignature)),
            abi.encodeCall(bank.payOrderWithPermit, (order, orderSignature, 0, 0, 0, 0)),
            abi.encodeCall(bank.claim, (voucher, _signClaim(voucher))),
            abi.encodeCall(bank.depositRevenue, ("mining", address(usdt), 1e6, bytes32(0))),
            abi.encodeCall(bank.announceExit, (_payout(3, address(usdt), 1e6))),
            abi.encodeCall(bank.executeExit, (_payout(2, address(usdt), 1e6))),
            abi.encodeCall(
                bank.publishSolvency, (uint32(block.timestamp / 1 days), keccak256("root"), _heads(), totals)
            ),
            abi.encodeCall(bank.queueHandOver, (address(next))),
            abi.encodeCall(bank.executeHandOver, ())
        ];
        address[9] memory senders =
            [MEMBER, MEMBER, STRANGER, address(this), TREASURER, STRANGER, PUBLISHER, ADMIN, ADMIN];
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(senders[i]);
            (bool ok, bytes memory reason) = address(bank).call(calls[i]);
            vm.assertFalse(ok);
            bytes4 expected =
                i == 8 ? PublicDelay.NothingQueued.selector : IBankHandOver.BankIsClosed.selector;
            vm.assertEq(reason, abi.encodeWithSelector(expected));
        }
    }
}
