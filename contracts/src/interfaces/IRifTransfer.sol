// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Transfers from member to member with a reference
/// @notice Stateless and without any privileged role: it moves the caller's own tokens and keeps nothing.
interface IRifTransfer {
    /// @param token The ERC-20 that moved.
    /// @param from The sender.
    /// @param to The receiver.
    /// @param amount What arrived, in base units of the token.
    /// @param ref The sender's reference, zero when there is none.
    event Transferred(
        address indexed token, address indexed from, address indexed to, uint256 amount, bytes32 ref
    );

    /// @notice The receiver is the zero address, this contract, the token or the sender.
    error InvalidReceiver(address to);

    /// @notice A transfer of nothing.
    error ZeroAmount();

    /// @notice Moves exactly `amount` from the caller to `to`; the caller has approved this contract before.
    /// @dev Reverts when more or less than `amount` arrives, as with a token that takes a fee.
    function transfer(address token, address to, uint256 amount, bytes32 ref) external;
}
