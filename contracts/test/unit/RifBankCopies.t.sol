// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RifBank} from "../../src/RifBank.sol";
import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Limits of the copies of a package, over a chain of banks.
contract RifBankCopiesTest is BankFixture {
    function testAPaymentAboveTheLimitRevertsAndTakesNothing() public {
        for (uint256 id = 1; id <= 2; id++) {
            _payCopy(id, 3, 2);
        }
        vm.assertEq(bank.copiesPaid(3), 2);
        IRifBank.Order memory last = _copy(3, 3, 2);
        _fundAndApprove(last);
        _expectSoldOut(last);
        vm.assertEq(bank.copiesPaid(3), 2);
        vm.assertFalse(bank.orderPaid(3, MEMBER));
        vm.assertEq(usdt.balanceOf(MEMBER), last.usdtAmount);
        vm.assertEq(amc.balanceOf(MEMBER), last.amcAmount);
    }

    function testAPermitDoesNotBypassTheLimit() public {
        IRifBank.Order memory order = _copy(1, 3, 0);
        (uint8 v, bytes32 r, bytes32 s) = _fundWithPermit(order);
        bytes memory signature = _signOrder(order);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.SoldOut.selector, 3, 0));
        vm.prank(MEMBER);
        bank.payOrderWithPermit(order, signature, order.deadline, v, r, s);
    }

    function testEachPackageIsCountedForItself() public {
        _payCopy(1, 1, 1);
        _payCopy(2, 2, 1);
        _expectSoldOut(_copy(3, 1, 1));
        vm.assertEq(bank.copiesPaid(1), 1);
        vm.assertEq(bank.copiesPaid(2), 1);
        vm.assertEq(bank.copiesPaid(3), 0);
    }

    /// @dev The order of a fund product: package 0, whatever its limit.
    function testAnOrderOfNoPackageIsNotCounted() public {
        _payCopy(1, 0, 0);
        _payCopy(2, 0, 0);
        vm.assertEq(bank.copiesPaid(0), 0);
    }

    /// @dev Two members with quotes for the last copy: the order of the chain decides, and the second keeps its tokens.
    function testTheChainDecidesBetweenTheTwoLastBuyers() public {
        IRifBank.Order memory first = _copy(1, 5, 1);
        _fundAndApprove(first);
        bytes memory ofFirst = _signOrder(first);
        IRifBank.Order memory second = _copy(2, 5, 1);
        second.payer = STRANGER;
        usdt.mint(STRANGER, second.usdtAmount);
        amc.transfer(STRANGER, second.amcAmount);
        _approve(STRANGER, address(usdt), second.usdtAmount);
        _approve(STRANGER, address(amc), second.amcAmount);
        bytes memory ofSecond = _signOrder(second);

        vm.prank(STRANGER);
        bank.payOrder(second, ofSecond);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.SoldOut.selector, 5, 1));
        vm.prank(MEMBER);
        bank.payOrder(first, ofFirst);
        vm.assertEq(bank.copiesPaid(5), 1);
        vm.assertEq(usdt.balanceOf(MEMBER), first.usdtAmount);
        vm.assertEq(usdt.balanceOf(STRANGER), 0);
    }

    /// @dev A payer cannot move a quote to another package, out of the count, or above its limit.
    function testRefusesAQuoteOfAnotherPackageOrLimit() public {
        _payCopy(1, 3, 1);
        IRifBank.Order memory quoted = _copy(2, 3, 1);
        _fundAndApprove(quoted);
        bytes memory signature = _signOrder(quoted);
        IRifBank.Order memory changed = quoted;
        uint256[3] memory packages = [uint256(0), 2, 3];
        uint256[3] memory limits = [uint256(1), 1, 2];
        for (uint256 i = 0; i < packages.length; i++) {
            (changed.package, changed.limit) = (packages[i], limits[i]);
            vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
            vm.prank(MEMBER);
            bank.payOrder(changed, signature);
        }
    }

    /// @dev The limit is that of the quote: one signed before the plan lowered it counts until its deadline.
    function testAnOldQuotePassesAfterALoweringUntilItsDeadline() public {
        IRifBank.Order memory old = _copy(1, 3, 3);
        IRifBank.Order memory late = _copy(2, 3, 3);
        bytes memory ofOld = _signOrder(old);
        bytes memory ofLate = _signOrder(late);
        _payCopy(10, 3, 3);
        _payCopy(11, 3, 3);
        _expectSoldOut(_copy(12, 3, 1));

        _fundAndApprove(old);
        vm.warp(old.deadline);
        vm.prank(MEMBER);
        bank.payOrder(old, ofOld);
        vm.assertEq(bank.copiesPaid(3), 3);

        vm.warp(late.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.DeadlinePassed.selector, late.deadline));
        vm.prank(MEMBER);
        bank.payOrder(late, ofLate);
    }

    function testAThirdBankCountsOnFromTheTwoBeforeIt() public {
        RifBank first = bank;
        _payCopy(1, 4, 3);
        RifBank second = _successor();
        _handOverTo(second);
        _payCopy(2, 4, 3);
        RifBank third = _successor();
        _handOverTo(third);

        vm.assertEq(first.copiesPaid(4), 1);
        vm.assertEq(second.copiesPaid(4), 2);
        vm.assertEq(third.copiesPaid(4), 2);
        _payCopy(3, 4, 3);
        _expectSoldOut(_copy(4, 4, 3));
        vm.assertEq(third.copiesPaid(4), 3);
        vm.assertEq(second.copiesPaid(4), 2);
    }

    function testTakesNoOrderBeforeItsPredecessorHasHandedOver() public {
        RifBank first = bank;
        RifBank second = _successor();
        bank = second;
        uint256[2] memory packages = [uint256(0), 3];
        for (uint256 i = 0; i < packages.length; i++) {
            IRifBank.Order memory order = _copy(i, packages[i], 200);
            _fundAndApprove(order);
            bytes memory signature = _signOrder(order);
            vm.expectRevert(abi.encodeWithSelector(IRifBank.PredecessorIsOpen.selector, address(first)));
            vm.prank(MEMBER);
            bank.payOrder(order, signature);
        }
        bank = first;
        _payCopy(9, 3, 200);
        vm.assertEq(second.copiesPaid(3), 1);
        _handOverTo(second);
        _payCopy(10, 3, 200);
        vm.assertEq(second.copiesPaid(3), 2);
    }

    /// @dev Of two banks with one predecessor only the one that took over sells, so no copy is counted twice.
    function testABankThatWasPassedOverTakesNoOrder() public {
        RifBank passedOver = _successor();
        address first = address(bank);
        _handOverTo(_successor());
        bank = passedOver;
        IRifBank.Order memory order = _copy(1, 3, 200);
        _fundAndApprove(order);
        bytes memory signature = _signOrder(order);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.PredecessorIsOpen.selector, first));
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    function testFuzzNeverMoreCopiesThanTheHighestLimit(uint256[12] calldata seeds) public {
        uint256 highest;
        for (uint256 i = 0; i < seeds.length; i++) {
            uint256 limit = seeds[i] % 6;
            IRifBank.Order memory order = _copy(i, 2, limit);
            _fundAndApprove(order);
            bytes memory signature = _signOrder(order);
            uint256 before = bank.copiesPaid(2);
            vm.prank(MEMBER);
            (bool ok,) = address(bank).call(abi.encodeCall(bank.payOrder, (order, signature)));
            vm.assertEq(ok, before < limit, "payOrder");
            vm.assertEq(bank.copiesPaid(2), ok ? before + 1 : before);
            if (!ok) _approve(MEMBER, address(usdt), 0);
            if (limit > highest) highest = limit;
            if (seeds[i] % 7 == 0) _handOverTo(_successor());
        }
        vm.assertLe(bank.copiesPaid(2), highest, "copies");
    }

    function _copy(uint256 orderId, uint256 package, uint256 limit)
        private
        view
        returns (IRifBank.Order memory order)
    {
        order = _order(orderId);
        (order.package, order.limit) = (package, limit);
    }

    function _payCopy(uint256 orderId, uint256 package, uint256 limit) private {
        IRifBank.Order memory order = _copy(orderId, package, limit);
        _fundAndApprove(order);
        _pay(order);
    }

    function _expectSoldOut(IRifBank.Order memory order) private {
        bytes memory signature = _signOrder(order);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.SoldOut.selector, order.package, order.limit));
        vm.prank(order.payer);
        bank.payOrder(order, signature);
    }

    function _successor() private returns (RifBank) {
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.predecessor = address(bank);
        return new RifBank(config);
    }

    /// @dev Hands over to the next bank, which the other helpers use from then on; seven days pass.
    function _handOverTo(RifBank next) private {
        vm.startPrank(ADMIN);
        bank.queueHandOver(address(next));
        vm.warp(block.timestamp + 7 days);
        bank.executeHandOver();
        vm.stopPrank();
        bank = next;
    }
}
