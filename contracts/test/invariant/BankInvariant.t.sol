// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";
import {BankHandler} from "./BankHandler.sol";

/// @dev What holds after any sequence of calls, whoever makes them and whichever keys they hold.
contract BankInvariantTest is BankFixture {
    uint256 private constant IDS = 48;

    BankHandler private handler;

    function setUp() public override {
        super.setUp();
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.usdtDailyCap = 500_000;
        config.amcDailyCap = 700_000;
        bank = new RifBank(config);
        handler = new BankHandler(bank, QUOTE_KEY, CLAIM_KEY, ADMIN, PAUSER);
        amc.transfer(address(handler), MINTED);
    }

    /// @dev Forge calls only these contracts at random.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariantBalanceIsWhatCameInLessWhatWasClaimed() public view {
        for (uint256 i = 0; i < 2; i++) {
            address token = handler.tokens(i);
            vm.assertEq(
                IERC20(token).balanceOf(address(bank)),
                handler.moneyIn(token) - handler.moneyOut(token),
                "bank balance"
            );
        }
    }

    function invariantNothingLeavesAboveTheCapOfTheDay() public view {
        for (uint256 i = 0; i < 2; i++) {
            address token = handler.tokens(i);
            for (uint256 day = handler.firstDay(); day <= block.timestamp / 1 days; day++) {
                vm.assertLe(handler.outflow(token, day), handler.ceiling(token, day), "outflow of a day");
            }
        }
    }

    function invariantOrdersArePaidOnceAndWithdrawalsClaimedOnce() public view {
        for (uint256 id = 0; id < IDS; id++) {
            vm.assertLe(handler.timesPaid(id), 1, "paid twice");
            vm.assertLe(handler.timesClaimed(id), 1, "claimed twice");
            vm.assertEq(bank.orderPaid(id), handler.timesPaid(id) == 1, "orderPaid");
            vm.assertEq(bank.claimed(id), handler.timesClaimed(id) == 1, "claimed");
        }
    }

    function invariantViewsAgreeWithTheBooks() public view {
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
