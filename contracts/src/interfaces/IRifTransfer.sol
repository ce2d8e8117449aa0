// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Transfers from member to member with a reference
/// @notice Has no state and no roles: moves tokens of the caller and never holds any.
interface IRifTransfer {
    /// @param token The ERC-20 token.
    /// @param from The sender.
    /// @param to The receiver.
    /// @param amount The received amount, in base units of the token.
    /// @param ref The reference given by the sender; zero for none.
    event Transferred(
        address indexed token, address indexed from, address indexed to, uint256 amount, bytes32 ref
    );

    /// @notice The receiver is the zero address, this contract, the token or the sender.
    error InvalidReceiver(address to);

    /// @notice The amount is zero.
    error ZeroAmount();

    /// @notice Moves exactly `amount` from the caller to `to`, using the allowance that the caller gave this contract.
    /// @dev Reverts when `to` receives more or less than `amount`, for example with a token that takes a fee.
    function transfer(address token, address to, uint256 amount, bytes32 ref) external;
}
