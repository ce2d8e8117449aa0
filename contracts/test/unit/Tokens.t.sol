// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {AmcToken} from "../../src/AmcToken.sol";
import {TestUsdt} from "../../src/TestUsdt.sol";
import {TestBase} from "../support/Vm.sol";

/// @dev The fixed supply of AMC, and the behaviour that the test USDT shares with USDT.
contract TokensTest is TestBase {
    address private constant OTHER = address(0xBEEF);

    function testAmcSupplyIsFixedAndHeldByOneAccount() public {
        AmcToken amc = new AmcToken(OTHER, 5e26);
        vm.assertEq(amc.symbol(), "AMC");
        vm.assertEq(amc.name(), "AMC Token");
        vm.assertEq(uint256(amc.decimals()), 18);
        vm.assertEq(amc.totalSupply(), 5e26);
        vm.assertEq(amc.balanceOf(OTHER), 5e26);
    }

    function testUsdtHasTheDecimalsOfItsChain() public {
        vm.assertEq(uint256(new TestUsdt(6).decimals()), 6);
        vm.assertEq(uint256(new TestUsdt(18).decimals()), 18);
        vm.assertEq(new TestUsdt(6).symbol(), "USDT");
    }

    function testUsdtAllowanceMustBeResetFirst() public {
        TestUsdt usdt = new TestUsdt(6);
        usdt.approve(OTHER, 5);
        vm.expectRevert(abi.encodeWithSelector(TestUsdt.AllowanceNotReset.selector, OTHER, 5));
        usdt.approve(OTHER, 6);
        usdt.approve(OTHER, 0);
        usdt.approve(OTHER, 6);
        vm.assertEq(usdt.allowance(address(this), OTHER), 6);
    }

    function testUsdtReturnsNothing() public {
        TestUsdt usdt = new TestUsdt(6);
        usdt.mint(address(this), 10);
        bytes[3] memory calls = [
            abi.encodeCall(usdt.approve, (address(this), 5)),
            abi.encodeCall(usdt.transfer, (OTHER, 1)),
            abi.encodeCall(usdt.transferFrom, (address(this), OTHER, 1))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(usdt).call(calls[i]);
            vm.assertTrue(ok);
            vm.assertEq(result.length, 0);
        }
        vm.assertEq(usdt.balanceOf(OTHER), 2);
        vm.assertEq(usdt.allowance(address(this), address(this)), 4);
        vm.assertEq(usdt.totalSupply(), 10);
    }

    function testUsdtRefusesTransfersBeyondBalanceOrAllowance() public {
        TestUsdt usdt = new TestUsdt(6);
        usdt.mint(address(this), 10);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientBalance.selector);
        usdt.transfer(OTHER, 11);
        vm.expectPartialRevert(IERC20Errors.ERC20InvalidReceiver.selector);
        usdt.transfer(address(0), 1);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        usdt.transferFrom(address(this), OTHER, 1);
    }

    function testUsdtKeepsAnUnlimitedAllowance() public {
        TestUsdt usdt = new TestUsdt(6);
        usdt.mint(address(this), 10);
        usdt.approve(address(this), type(uint256).max);
        usdt.transferFrom(address(this), OTHER, 1);
        vm.assertEq(usdt.allowance(address(this), address(this)), type(uint256).max);
    }
}
