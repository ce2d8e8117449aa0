// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Token transfers that move exactly the stated amount or revert
/// @notice Supports tokens that return no value. Reverts for tokens that take a fee, rebase during the call or credit
/// more than was sent, because the ledger books the stated amount. The balances of both sides are measured, so that a
/// token cannot charge its sender more than the sender agreed to.
library ExactTransfer {
    using SafeERC20 for IERC20;

    /// @notice The balance of `account` did not change by exactly the stated amount.
    /// @param expected The required balance.
    /// @param actual The balance after the transfer.
    error InexactTransfer(address token, address account, uint256 expected, uint256 actual);

    /// @notice Moves `amount` from `from` to `to`, using the allowance of this contract. `from` and `to` must differ.
    function pull(IERC20 token, address from, address to, uint256 amount) internal {
        uint256 fromBefore = token.balanceOf(from);
        uint256 toBefore = token.balanceOf(to);
        token.safeTransferFrom(from, to, amount);
        _requireBalance(token, from, fromBefore - amount);
        _requireBalance(token, to, toBefore + amount);
    }

    /// @notice Moves `amount` from this contract to another account.
    function push(IERC20 token, address to, uint256 amount) internal {
        uint256 ownBefore = token.balanceOf(address(this));
        uint256 toBefore = token.balanceOf(to);
        // The transfer precedes the checks, so that an insufficient balance reverts with the error of the token.
        token.safeTransfer(to, amount);
        _requireBalance(token, address(this), ownBefore - amount);
        _requireBalance(token, to, toBefore + amount);
    }

    function _requireBalance(IERC20 token, address account, uint256 expected) private view {
        uint256 actual = token.balanceOf(account);
        if (actual != expected) revert InexactTransfer(address(token), account, expected, actual);
    }
}
