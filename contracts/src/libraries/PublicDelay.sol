// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The time that a dangerous change waits in public
/// @notice A raise of a cap, a new claim signer, the removal of a guardian, a destination of exits, an exit and a hand-over
/// are announced on chain first. They can be executed only after the delay and within the window, so that a guardian has time
/// to cancel what a stolen key announced, and no announcement stays valid for ever.
library PublicDelay {
    /// @notice The time between the announcement and the earliest execution.
    uint48 internal constant DELAY = 2 days;

    /// @notice The same for a hand-over: members have a week to claim.
    uint48 internal constant HAND_OVER_DELAY = 7 days;

    /// @notice The time during which the change can be executed after its delay.
    uint48 internal constant WINDOW = 7 days;

    /// @notice Nothing is queued, its delay has not ended, or its window has ended.
    error NothingQueued();
    error NotExecutableYet(uint256 executableAt);
    error ExecutionExpired(uint256 expiredAt);

    /// @notice Returns the earliest execution of a change that is announced now.
    function start(uint48 delay) internal view returns (uint48) {
        return uint48(block.timestamp) + delay;
    }

    /// @notice Reverts unless a change can be executed now.
    /// @param executableAt The earliest execution, in seconds since 1970; zero when nothing is queued.
    function requireExecutable(uint256 executableAt) internal view {
        if (executableAt == 0) revert NothingQueued();
        if (block.timestamp < executableAt) revert NotExecutableYet(executableAt);
        uint256 expiresAt = executableAt + WINDOW;
        if (block.timestamp > expiresAt) revert ExecutionExpired(expiresAt);
    }
}
