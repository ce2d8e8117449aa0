// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Hand-over of a bank to its successor
/// @notice The default admin announces a successor. After `HAND_OVER_DELAY`, within `CHANGE_WINDOW`, it moves everything that
/// the bank holds of both tokens to the successor and closes this bank for ever: no order, claim, deposit, exit or
/// publication. Until then the bank works as before, so that members can claim.
interface IBankHandOver {
    event HandOverQueued(address indexed successor, uint256 executableAt);
    event HandOverCancelled(address indexed successor);
    /// @notice The bank is closed. The amounts are its whole balances, in base units of the tokens.
    event HandedOver(address indexed successor, uint256 usdtAmount, uint256 amcAmount);

    /// @notice This bank gave its holdings to its successor and is closed.
    error BankIsClosed();
    /// @notice The successor has other tokens, names another predecessor, or is closed itself.
    error InvalidSuccessor(address successor);
    /// @notice The token is neither the USDT nor the AMC of this bank.
    error UnsupportedToken(address token);
    /// @notice The bank itself and the token contracts cannot be paid.
    error InvalidReceiver(address to);
    error ZeroAmount();

    /// @notice Announces a successor and cancels an earlier announcement. The successor must be a bank of the same tokens,
    /// deployed with this bank as its predecessor. Requires the default admin role.
    function queueHandOver(address successor) external;

    /// @notice Cancels the announced hand-over. Requires the guardian, pauser or default admin role.
    function cancelHandOver() external;

    /// @notice Moves all of both tokens to the announced successor and closes this bank. Requires the default admin role.
    function executeHandOver() external;

    /// @notice The announced successor and the earliest time of the hand-over; zeros when none is announced.
    function pendingHandOver() external view returns (address successor, uint256 executableAt);
    /// @notice The bank that received the holdings; zero while this bank is open.
    function successor() external view returns (address);
    /// @notice Whether this bank is closed.
    function handedOver() external view returns (bool);
    /// @notice The bank that may hand over to this one; zero for none.
    function predecessor() external view returns (address);
    function usdt() external view returns (address);
    function amc() external view returns (address);
}
