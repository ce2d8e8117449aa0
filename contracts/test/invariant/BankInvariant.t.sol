// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";
import {BankHandler} from "./BankHandler.sol";

/// @dev Properties that hold after any sequence of calls, whichever keys the callers hold.
contract BankInvariantTest is BankFixture {
    BankHandler private handler;

    function setUp() public override {
        super.setUp();
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.usdtDailyCap = 500_000;
        config.amcDailyCap = 700_000;
        bank = new RifBank(config);
        handler = new BankHandler(bank, QUOTE_KEY, CLAIM_KEY, config);
        amc.transfer(address(handler), MINTED);
        config.predecessor = address(bank);
        handler.setSuccessor(new RifBank(config));
        handler.queueDestination(0);
        handler.wait(30 hours);
        handler.wait(30 hours);
        handler.executeDestination(0);
    }

    /// @dev Restricts the random calls of Forge to the handler.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function testADismissedClaimKeyIsReplacedAfterTwoDays() public {
        handler.donate(0, 1_000_000);
        handler.dismissClaimSigner(0);
        handler.queueClaimSigner(0);
        handler.queueClaimSigner(1);
        handler.claim(0, 1, 0, 0, 0);
        handler.claim(1, 1, 0, 0, 0);
        vm.assertEq(handler.claims().length, 0);

        vm.warp(block.timestamp + 2 days);
        handler.executeClaimSigner(1);
        handler.claim(0, 1, 0, 0, 0);
        handler.claim(1, 1, 0, 0, 0);
        vm.assertEq(handler.claims().length, 1);
    }

    function testAnExitIsExecutedAndTheBankHandsOver() public {
        handler.donate(0, 1_000_000);
        handler.exitInTime(1, 0, 0, 0, 0);
        vm.assertEq(handler.exitsExecuted(), 1);
        handler.announceExit(2, 1, 0, 0, 0);
        vm.warp(block.timestamp + 2 days);
        handler.publish(900_000, 500_000, 0);
        handler.executeExit(2, 1);
        vm.assertEq(handler.exitsExecuted(), 2);
        handler.queueHandOver(0);
        vm.warp(block.timestamp + 7 days);
        handler.executeHandOver();
        vm.assertTrue(handler.isClosed());
        handler.claim(0, 1, 0, 0, 0);
        vm.assertEq(handler.claims().length, 0);
    }

    function testTheSuccessorTakesOrdersAfterTheHandOverAndCountsOn() public {
        uint256 third = (5 << 16) | (1 << 8);
        handler.payOrder(third | 1, 0, 1, 1);
        handler.payOrderToSuccessor((7 << 8) | 1, 0);
        vm.assertEq(handler.copies(1), 1);
        handler.queueHandOver(0);
        vm.warp(block.timestamp + 7 days);
        handler.executeHandOver();
        handler.payOrderToSuccessor((1 << 8) | 1, 0);
        vm.assertEq(handler.copies(1), 1);
        handler.payOrderToSuccessor((2 << 8) | 1, 0);
        vm.assertEq(handler.copies(1), 2);
    }

    function invariantBalanceEqualsMoneyInLessMoneyOut() public view {
        for (uint256 i = 0; i < 2; i++) {
            address token = handler.tokens(i);
            vm.assertEq(
                IERC20(token).balanceOf(address(bank)),
                handler.moneyIn(token) - handler.moneyOut(token),
                "bank balance"
            );
        }
    }

    /// @dev The handler checks that each of these exits was announced two days before and above the liabilities.
    function invariantOutflowIsAtMostTheCapAndTheAnnouncedExits() public view {
        for (uint256 i = 0; i < 2; i++) {
            address token = handler.tokens(i);
            for (uint256 day = handler.firstDay(); day <= block.timestamp / 1 days; day++) {
                vm.assertLe(handler.outflow(token, day), handler.ceiling(token, day), "claims of a day");
                vm.assertLe(
                    handler.left(token, day),
                    handler.ceiling(token, day) + handler.exited(token, day),
                    "outflow of a day"
                );
            }
        }
    }

    function invariantViewsMatchTheModel() public view {
        _expectCapsOfTheModel();
        for (uint256 id = 0; id < handler.EXIT_IDS(); id++) {
            (IBankExits.ExitState state,,) = bank.exitOf(id);
            (bool isAnnounced, bool isOver) = handler.exitState(id);
            vm.assertEq(state != IBankExits.ExitState.None, isAnnounced, "announced");
            vm.assertEq(uint8(state) > uint8(IBankExits.ExitState.Announced), isOver, "over");
        }
        for (uint256 i = 0; i < 2; i++) {
            address token = handler.tokens(i);
            vm.assertEq(bank.coverOf(token).held, handler.heldOf(token), "held");
        }
        vm.assertEq(bank.handedOver(), handler.isClosed(), "handedOver");
    }

    function invariantOrdersAndTermsArePaidOnce() public view {
        address[3] memory members = handler.members();
        for (uint256 id = 0; id < handler.IDS(); id++) {
            for (uint256 i = 0; i < members.length; i++) {
                uint256 times = handler.timesPaid(members[i], id);
                vm.assertLe(times, 1, "paid twice");
                vm.assertEq(bank.orderPaid(id, members[i]), times == 1, "orderPaid");
            }
        }
        IRifBank.Claim[] memory claims = handler.claims();
        for (uint256 i = 0; i < claims.length; i++) {
            vm.assertLe(handler.timesClaimed(handler.termsOf(claims[i])), 1, "claimed twice");
            vm.assertTrue(_isClaimed(claims[i]), "claimed");
        }
    }

    /// @dev The handler checks that no payment exceeded the limit of its quote, before and after the hand-over.
    function invariantCopiesAreCountedOnceInTheChainOfBanks() public view {
        for (uint256 package = 0; package < handler.PACKAGES(); package++) {
            vm.assertEq(handler.successor().copiesPaid(package), handler.copies(package), "copies of both banks");
            vm.assertLe(bank.copiesPaid(package), handler.copies(package), "copies of the first bank");
        }
        vm.assertEq(bank.copiesPaid(0), 0, "orders of no package");
    }

    function _expectCapsOfTheModel() private view {
        uint256 day = block.timestamp / 1 days;
        for (uint256 i = 0; i < 2; i++) {
            address token = handler.tokens(i);
            uint256 cap = handler.cap(token);
            uint256 spent = handler.outflow(token, day);
            vm.assertEq(bank.dailyCap(token), cap, "dailyCap");
            vm.assertEq(bank.outflowToday(token), spent, "outflowToday");
            vm.assertEq(bank.remainingToday(token), spent < cap ? cap - spent : 0, "remainingToday");
            (uint256 raiseTo, uint256 raiseAt) = bank.pendingCapRaise(token);
            vm.assertEq(raiseTo, handler.raiseTo(token), "pending cap");
            vm.assertEq(raiseAt, handler.raiseAt(token), "pending since");
        }
    }
}
