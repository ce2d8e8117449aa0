// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {AmcToken} from "../../src/AmcToken.sol";
import {RifTransfer} from "../../src/RifTransfer.sol";
import {IRifTransfer} from "../../src/interfaces/IRifTransfer.sol";
import {ExactTransfer} from "../../src/libraries/ExactTransfer.sol";
import {ReentrantToken, SilentToken, SkewedToken} from "../support/HostileTokens.sol";
import {TestBase} from "../support/Vm.sol";

/// @dev Transfers from member to member with a reference. The test contract is the sender.
contract RifTransferTest is TestBase {
    address private constant RECEIVER = address(0xBEEF);
    bytes32 private constant REF = "invoice 7";

    RifTransfer private transfers;

    function setUp() public {
        transfers = new RifTransfer();
    }

    function testFuzzMovesExactlyTheAmount(uint256 amount, bytes32 ref) public {
        amount = _bound(amount, 1, 1e30);
        AmcToken amc = new AmcToken(address(this), 1e30);
        amc.approve(address(transfers), amount);

        vm.expectEmit(address(transfers));
        emit IRifTransfer.Transferred(address(amc), address(this), RECEIVER, amount, ref);
        transfers.transfer(address(amc), RECEIVER, amount, ref);

        vm.assertEq(amc.balanceOf(RECEIVER), amount);
        vm.assertEq(amc.balanceOf(address(this)), 1e30 - amount);
        vm.assertEq(amc.balanceOf(address(transfers)), 0);
    }

    function testMovesATokenThatReturnsNothing() public {
        SilentToken usdt = new SilentToken();
        usdt.mint(address(this), 5e6);
        usdt.approve(address(transfers), 5e6);
        transfers.transfer(address(usdt), RECEIVER, 5e6, REF);
        vm.assertEq(usdt.balanceOf(RECEIVER), 5e6);
    }

    function testMovesNothingWithoutAnAllowance() public {
        AmcToken amc = new AmcToken(address(this), 1e18);
        vm.expectPartialRevert(IERC20Errors.ERC20InsufficientAllowance.selector);
        transfers.transfer(address(amc), RECEIVER, 1, REF);
    }

    function testRefusesInvalidReceiversAndZeroAmounts() public {
        AmcToken amc = new AmcToken(address(this), 1e18);
        address[4] memory unfit = [address(0), address(transfers), address(amc), address(this)];
        for (uint256 i = 0; i < unfit.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IRifTransfer.InvalidReceiver.selector, unfit[i]));
            transfers.transfer(address(amc), unfit[i], 1, REF);
        }
        vm.expectRevert(IRifTransfer.ZeroAmount.selector);
        transfers.transfer(address(amc), RECEIVER, 0, REF);
    }

    function testRefusesInexactTransfers() public {
        SkewedToken skewed = new SkewedToken();
        skewed.mint(address(this), 100);
        skewed.approve(address(transfers), 100);
        skewed.setSkew(-1);
        vm.expectRevert(
            abi.encodeWithSelector(ExactTransfer.InexactTransfer.selector, address(skewed), RECEIVER, 100, 99)
        );
        transfers.transfer(address(skewed), RECEIVER, 100, REF);
        skewed.setSkew(1);
        vm.expectRevert(
            abi.encodeWithSelector(
                ExactTransfer.InexactTransfer.selector, address(skewed), RECEIVER, 100, 101
            )
        );
        transfers.transfer(address(skewed), RECEIVER, 100, REF);
    }

    function testATokenCannotReenter() public {
        ReentrantToken reentrant = new ReentrantToken();
        reentrant.mint(address(this), 100);
        reentrant.approve(address(transfers), 100);
        reentrant.arm(
            address(transfers), abi.encodeCall(transfers.transfer, (address(reentrant), RECEIVER, 1, REF))
        );
        transfers.transfer(address(reentrant), RECEIVER, 100, REF);
        vm.assertEq(
            reentrant.failure(),
            abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
        );
    }
}
