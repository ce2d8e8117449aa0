// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AmcToken} from "../../src/AmcToken.sol";
import {TestBase} from "../support/Vm.sol";

/// @dev The fixed supply of AMC.
contract AmcTokenTest is TestBase {
    address private constant OTHER = address(0xBEEF);

    function testAmcSupplyIsFixedAndHeldByOneAccount() public {
        AmcToken amc = new AmcToken(OTHER, 5e26);
        vm.assertEq(amc.symbol(), "AMC");
        vm.assertEq(amc.name(), "AMC Token");
        vm.assertEq(uint256(amc.decimals()), 18);
        vm.assertEq(amc.totalSupply(), 5e26);
        vm.assertEq(amc.balanceOf(OTHER), 5e26);
    }
}
