// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Token transfers that move the stated amount or nothing
/// @notice Works with tokens that return nothing. Refuses tokens that take a fee, rebase during the call or
/// credit more than was sent, because a ledger that books the stated amount would then be wrong.
library ExactTransfer {
    using SafeERC20 for IERC20;

    /// @notice The balance of `account` did not change by exactly the stated amount.
    /// @param expected The balance that had to result.
    /// @param actual The balance that resulted.
    error InexactTransfer(address token, address account, uint256 expected, uint256 actual);

    /// @notice Moves `amount` from `from` to `to` out of the allowance of this contract; `from` is not `to`.
    function pull(IERC20 token, address from, address to, uint256 amount) internal {
        uint256 expected = token.balanceOf(to) + amount;
        token.safeTransferFrom(from, to, amount);
        _requireBalance(token, to, expected);
    }

    /// @notice Moves `amount` from this contract to `to`, which is not this contract, and checks both sides.
    function push(IERC20 token, address to, uint256 amount) internal {
        uint256 ownBefore = token.balanceOf(address(this));
        uint256 expectedTo = token.balanceOf(to) + amount;
        // First the transfer, so that a lack of balance is reported in the token's own words.
        token.safeTransfer(to, amount);
        _requireBalance(token, address(this), ownBefore - amount);
        _requireBalance(token, to, expectedTo);
    }

    function _requireBalance(IERC20 token, address account, uint256 expected) private view {
        uint256 actual = token.balanceOf(account);
        if (actual != expected) revert InexactTransfer(address(token), account, expected, actual);
    }
}
