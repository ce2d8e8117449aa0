// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {AmcToken} from "../../src/AmcToken.sol";
import {RifBank} from "../../src/RifBank.sol";
import {TestUsdt} from "../../src/TestUsdt.sol";
import {IApprove} from "../support/BankFixture.sol";
import {TestBase} from "../support/Vm.sol";

/// @title The shared parts of the model of the bank: money, guardian, closing, and calls to the bank
abstract contract BankModel is TestBase {
    RifBank public immutable bank;
    address[2] public tokens;

    address internal immutable _admin;
    address internal immutable _guardian;

    /// @dev Whether the bank handed over.
    bool public isClosed;
    bool internal _isGuarded = true;
    /// @dev Whether the guardian held its role when a change was queued, by the change's subject.
    mapping(address subject => bool) internal _wasGuarded;
    mapping(address token => uint256) public moneyIn;
    mapping(address token => uint256) public moneyOut;

    constructor(RifBank bank_, address admin, address guardian) {
        bank = bank_;
        tokens = [bank_.usdt(), bank_.amc()];
        _admin = admin;
        _guardian = guardian;
    }

    /// @dev The guardian who saw a change announced still holds its role when the change is executed.
    function _noteGuarded(address subject) internal view {
        vm.assertTrue(_isGuarded || !_wasGuarded[subject], "a guardian left while a change waited");
    }

    function _isExecutable(uint256 readyAt) internal view returns (bool) {
        return readyAt != 0 && block.timestamp >= readyAt && block.timestamp <= readyAt + 7 days;
    }

    function _attemptAs(address sender, bytes memory data) internal returns (bool) {
        vm.prank(sender);
        return _attempt(data);
    }

    function _attempt(bytes memory data) internal returns (bool ok) {
        (ok,) = address(bank).call(data);
    }

    function _fund(address to, address token, uint256 amount) internal {
        if (token == tokens[0]) TestUsdt(token).mint(to, amount);
        else AmcToken(token).transfer(to, amount);
    }

    function _fundAndApprove(address owner, address token, uint256 amount) internal {
        _fund(owner, token, amount);
        vm.startPrank(owner);
        if (IERC20(token).allowance(owner, address(bank)) != 0) IApprove(token).approve(address(bank), 0);
        IApprove(token).approve(address(bank), amount);
        vm.stopPrank();
    }

    function _token(uint256 seed) internal view returns (address) {
        return tokens[seed % tokens.length];
    }
}
