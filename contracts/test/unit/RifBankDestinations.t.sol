// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {PublicDelay} from "../../src/libraries/PublicDelay.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev The list of destinations of exits.
contract RifBankDestinationsTest is BankFixture {
    function testADestinationIsListedOnlyAfterTwoDaysInPublic() public {
        uint256 executableAt = block.timestamp + 2 days;
        vm.startPrank(ADMIN);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        bank.executeDestination(VAULT);
        vm.expectEmit(address(bank));
        emit IBankExits.DestinationQueued(VAULT, executableAt);
        bank.queueDestination(VAULT);
        IBankRoles.QueuedChange[] memory queue = bank.queuedDestinations();
        vm.assertEq(queue.length, 1);
        vm.assertEq(queue[0].account, VAULT);
        vm.assertEq(queue[0].executableAt, executableAt);

        vm.warp(executableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeDestination(VAULT);
        vm.assertEq(bank.destinations().length, 0);

        vm.warp(executableAt);
        vm.expectEmit(address(bank));
        emit IBankExits.DestinationListed(VAULT);
        bank.executeDestination(VAULT);
        vm.assertEq(bank.destinations().length, 1);
        vm.assertEq(bank.destinations()[0], VAULT);
        vm.assertEq(bank.queuedDestinations().length, 0);
        vm.expectRevert(abi.encodeWithSelector(IBankExits.AlreadyListed.selector, VAULT));
        bank.queueDestination(VAULT);
        vm.stopPrank();
    }

    function testAnAnnouncedDestinationExpiresAndASecondAnnouncementRestartsTheWait() public {
        vm.startPrank(ADMIN);
        bank.queueDestination(VAULT);
        vm.warp(block.timestamp + 1 days);
        vm.expectEmit(address(bank));
        emit IBankExits.DestinationCancelled(VAULT);
        bank.queueDestination(VAULT);
        uint256 expiresAt = block.timestamp + 9 days;
        vm.warp(expiresAt + 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.ExecutionExpired.selector, expiresAt));
        bank.executeDestination(VAULT);
        vm.stopPrank();
    }

    function testADestinationIsCancelledByTheGuardianThePauserOrTheAdmin() public {
        address[3] memory cancellers = [GUARDIAN, PAUSER, ADMIN];
        for (uint256 i = 0; i < cancellers.length; i++) {
            vm.prank(ADMIN);
            bank.queueDestination(VAULT);
            vm.expectEmit(address(bank));
            emit IBankExits.DestinationCancelled(VAULT);
            vm.startPrank(cancellers[i]);
            bank.cancelDestination(VAULT);
            vm.expectRevert(PublicDelay.NothingQueued.selector);
            bank.cancelDestination(VAULT);
            vm.stopPrank();
        }
    }

    function testARemovedDestinationGetsNothingAndWaitsAgain() public {
        _listVault();
        _fill(100e6, 0);
        IBankExits.Exit memory exit = _payout(1, address(usdt), 1e6);
        _announceAndWait(exit);
        _publish(0, 0, 0);
        vm.startPrank(ADMIN);
        vm.expectEmit(address(bank));
        emit IBankExits.DestinationRemoved(VAULT);
        bank.removeDestination(VAULT);
        bytes memory notListed = abi.encodeWithSelector(IBankExits.NotListed.selector, VAULT);
        vm.expectRevert(notListed);
        bank.removeDestination(VAULT);
        bank.queueDestination(VAULT);
        vm.stopPrank();
        vm.expectRevert(notListed);
        bank.executeExit(exit);
    }

    function testTheBankATokenAndNobodyAreNoDestinations() public {
        address[3] memory unfit = [address(bank), address(usdt), address(amc)];
        vm.startPrank(ADMIN);
        for (uint256 i = 0; i < unfit.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IBankHandOver.InvalidReceiver.selector, unfit[i]));
            bank.queueDestination(unfit[i]);
        }
        vm.expectRevert(IBankRoles.ZeroAddress.selector);
        bank.queueDestination(address(0));
        vm.stopPrank();
    }
}
