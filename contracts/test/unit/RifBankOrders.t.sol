// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";
import {BrokenToken} from "../support/HostileTokens.sol";

/// @dev Payment of orders, with an approval and with a permit; deposits of revenue.
contract RifBankOrdersTest is BankFixture {
    function testPaysExactAmountsAndEmitsOrderPaid() public {
        IRifBank.Order memory order = _order(7);
        _fundAndApprove(order);
        bytes memory signature = _signOrder(order);

        vm.expectEmit(address(bank));
        emit IRifBank.OrderPaid(7, MEMBER, 700e6, 600e18);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);

        vm.assertTrue(bank.orderPaid(7, MEMBER));
        vm.assertFalse(bank.orderPaid(6, MEMBER));
        vm.assertFalse(bank.orderPaid(7, STRANGER));
        vm.assertEq(usdt.balanceOf(address(bank)), 700e6);
        vm.assertEq(amc.balanceOf(address(bank)), 600e18);
        vm.assertEq(usdt.balanceOf(MEMBER), 0);
        vm.assertEq(amc.balanceOf(MEMBER), 0);
        vm.assertEq(usdt.allowance(MEMBER, address(bank)), 0);
        vm.assertEq(amc.allowance(MEMBER, address(bank)), 0);
    }

    function testFuzzPaysAnyAmounts(uint256 orderId, uint256 usdtAmount, uint256 amcAmount) public {
        IRifBank.Order memory order = _order(orderId);
        order.usdtAmount = _bound(usdtAmount, 0, type(uint128).max);
        order.amcAmount = _bound(amcAmount, order.usdtAmount == 0 ? 1 : 0, MINTED);
        _fundAndApprove(order);

        _pay(order);

        vm.assertEq(usdt.balanceOf(address(bank)), order.usdtAmount);
        vm.assertEq(amc.balanceOf(address(bank)), order.amcAmount);
    }

    function testRefusesSecondPaymentOfOneOrder() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _pay(order);
        _fundAndApprove(order);
        bytes memory signature = _signOrder(order);

        vm.expectRevert(abi.encodeWithSelector(IRifBank.OrderAlreadyPaid.selector, 1));
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    function testRefusesAnotherQuoteForAPaidOrder() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _pay(order);
        order.usdtAmount = 1;
        bytes memory signature = _signOrder(order);

        vm.expectRevert(abi.encodeWithSelector(IRifBank.OrderAlreadyPaid.selector, 1));
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    /// @dev A quote key that signs the id of another member's order for the thief leaves that order payable.
    function testAStolenQuoteKeyCannotUseUpTheOrderOfAnother() public {
        IRifBank.Order memory honest = _order(1);
        _fundAndApprove(honest);
        bytes memory quote = _signOrder(honest);

        IRifBank.Order memory thief = IRifBank.Order(1, STRANGER, 3, 200, 1, 0, honest.deadline);
        usdt.mint(STRANGER, 1);
        _approve(STRANGER, address(usdt), 1);
        bytes memory signature = _signOrder(thief);
        vm.prank(STRANGER);
        bank.payOrder(thief, signature);

        vm.assertFalse(bank.orderPaid(1, MEMBER));
        vm.prank(MEMBER);
        bank.payOrder(honest, quote);
        vm.assertTrue(bank.orderPaid(1, MEMBER));
        vm.assertEq(usdt.balanceOf(address(bank)), honest.usdtAmount + 1);
    }

    function testAPaidOrderIsNotPaidAgainWithALaterDeadline() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _pay(order);
        _fundAndApprove(order);
        order.deadline += 1 days;
        bytes memory signature = _signOrder(order);

        vm.expectRevert(abi.encodeWithSelector(IRifBank.OrderAlreadyPaid.selector, 1));
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    /// @dev Only the token with an amount is called: the other one could be broken or blocked.
    function testAnOrderInOneTokenLeavesTheOtherAlone() public {
        bank = new RifBank(_config(address(usdt), address(new BrokenToken())));
        IRifBank.Order memory order = _order(1);
        order.amcAmount = 0;
        usdt.mint(MEMBER, order.usdtAmount);
        _approve(MEMBER, address(usdt), order.usdtAmount);
        _pay(order);
        vm.assertEq(usdt.balanceOf(address(bank)), order.usdtAmount);

        order = _order(2);
        order.usdtAmount = 0;
        bank = _deployBank(address(usdt), address(amc));
        _fundAndApprove(order);
        _pay(order);
        vm.assertEq(amc.balanceOf(address(bank)), order.amcAmount);
    }

    function testAcceptsPaymentUntilTheDeadline() public {
        IRifBank.Order memory onTime = _order(1);
        _fundAndApprove(onTime);
        vm.warp(onTime.deadline);
        _pay(onTime);

        IRifBank.Order memory late = _order(2);
        _fundAndApprove(late);
        bytes memory signature = _signOrder(late);
        vm.warp(late.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.DeadlinePassed.selector, late.deadline));
        vm.prank(MEMBER);
        bank.payOrder(late, signature);
    }

    function testRefusesAnyoneButThePayer() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        bytes memory signature = _signOrder(order);

        vm.expectRevert(abi.encodeWithSelector(IRifBank.NotThePayer.selector, MEMBER, STRANGER));
        vm.prank(STRANGER);
        bank.payOrder(order, signature);
    }

    function testRefusesAnEmptyOrder() public {
        IRifBank.Order memory order = _order(1);
        order.usdtAmount = 0;
        order.amcAmount = 0;
        bytes memory signature = _signOrder(order);

        vm.expectRevert(IBankHandOver.ZeroAmount.selector);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    function testRefusesWithoutAllowanceOrBalanceAndTakesNothing() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _approve(MEMBER, address(amc), order.amcAmount - 1);
        bytes memory signature = _signOrder(order);

        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
        vm.assertFalse(bank.orderPaid(1, MEMBER));
        vm.assertEq(usdt.balanceOf(MEMBER), order.usdtAmount);

        _approve(MEMBER, address(amc), order.amcAmount);
        vm.prank(MEMBER);
        usdt.transfer(STRANGER, 1);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    function testFuzzRefusesAChangedQuote(uint8 field, uint256 value) public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        bytes memory signature = _signOrder(order);
        bytes32 signed = bank.hashOrder(order);
        field %= 6;
        if (field == 0) order.orderId = value;
        if (field == 1) order.usdtAmount = value;
        if (field == 2) order.amcAmount = value;
        if (field == 3) order.deadline = _bound(value, block.timestamp, type(uint256).max);
        if (field == 4) order.package = value;
        if (field == 5) order.limit = value;
        vm.assume(bank.hashOrder(order) != signed);
        vm.assume(order.usdtAmount != 0 || order.amcAmount != 0);

        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);
    }

    function testPaysWithAPermitInOneTransaction() public {
        IRifBank.Order memory order = _order(1);
        (uint8 v, bytes32 r, bytes32 s) = _fundWithPermit(order);
        bytes memory signature = _signOrder(order);

        vm.prank(MEMBER);
        bank.payOrderWithPermit(order, signature, order.deadline, v, r, s);

        vm.assertTrue(bank.orderPaid(1, MEMBER));
        vm.assertEq(amc.balanceOf(address(bank)), order.amcAmount);
        vm.assertEq(amc.allowance(MEMBER, address(bank)), 0);
        vm.assertEq(amc.nonces(MEMBER), 1);
    }

    function testAFrontRunPermitDoesNotBlockThePayment() public {
        IRifBank.Order memory order = _order(1);
        (uint8 v, bytes32 r, bytes32 s) = _fundWithPermit(order);
        bytes memory signature = _signOrder(order);

        vm.prank(STRANGER);
        amc.permit(MEMBER, address(bank), order.amcAmount, order.deadline, v, r, s);
        vm.prank(MEMBER);
        bank.payOrderWithPermit(order, signature, order.deadline, v, r, s);

        vm.assertTrue(bank.orderPaid(1, MEMBER));
        vm.assertEq(amc.allowance(MEMBER, address(bank)), 0);
    }

    function testAPermitForAnotherAmountOrByAnotherKeyPaysNothing() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _approve(MEMBER, address(amc), 0);
        bytes memory signature = _signOrder(order);

        (uint8 v, bytes32 r, bytes32 s) = _permit(MEMBER_KEY, order.amcAmount + 1, order.deadline);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(MEMBER);
        bank.payOrderWithPermit(order, signature, order.deadline, v, r, s);

        (v, r, s) = _permit(STRANGER_KEY, order.amcAmount, order.deadline);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        vm.prank(MEMBER);
        bank.payOrderWithPermit(order, signature, order.deadline, v, r, s);
    }

    function testAPermitDoesNotBypassTheChecks() public {
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        (uint8 v, bytes32 r, bytes32 s) = _permit(MEMBER_KEY, order.amcAmount, order.deadline);
        bytes memory signature = _sign(STRANGER_KEY, bank.hashOrder(order));

        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        vm.prank(MEMBER);
        bank.payOrderWithPermit(order, signature, order.deadline, v, r, s);
    }

    function testRevenueIsBookedWithItsLabelAndDocument() public {
        bytes32 label = "mining";
        bytes32 document = keccak256("report");
        amc.approve(address(bank), 5e18);
        usdt.mint(STRANGER, 3e6);
        _approve(STRANGER, address(usdt), 3e6);

        vm.expectEmit(address(bank));
        emit IRifBank.RevenueDeposited(1, address(this), label, address(amc), 5e18, document);
        vm.assertEq(bank.depositRevenue(label, address(amc), 5e18, document), 1);
        vm.prank(STRANGER);
        vm.assertEq(bank.depositRevenue(label, address(usdt), 3e6, document), 2);

        vm.assertEq(bank.depositCount(), 2);
        vm.assertEq(amc.balanceOf(address(bank)), 5e18);
        vm.assertEq(usdt.balanceOf(address(bank)), 3e6);
    }

    function testRefusesZeroRevenueAndOtherTokens() public {
        vm.expectRevert(IBankHandOver.ZeroAmount.selector);
        bank.depositRevenue("mining", address(amc), 0, bytes32(0));
        vm.expectRevert(abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        bank.depositRevenue("mining", STRANGER, 1, bytes32(0));
    }
}
