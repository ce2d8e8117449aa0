// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title Limit on the outflow per UTC day, lowered at once and raised after a delay
/// @notice The cap bounds the loss through a stolen claim key. It can therefore be lowered at once, while a raise is
/// announced on chain first and can be executed only during a later window.
library DailyCap {
    using SafeCast for uint256;

    /// @notice The time between the announcement of a raise and its earliest execution.
    uint48 internal constant RAISE_DELAY = 2 days;

    /// @notice The time during which a raise can be executed after that delay. An announcement must not stay valid for ever.
    uint48 internal constant RAISE_WINDOW = 7 days;

    /// @dev Occupies two slots, of which a payout uses only the first.
    struct Limit {
        uint112 cap;
        uint112 spent;
        uint32 day;
        uint112 raiseTo;
        uint48 raiseAt;
    }

    /// @notice `requested` exceeds the remainder of today's cap.
    error DailyCapExceeded(uint256 remaining, uint256 requested);

    /// @notice A lowered cap must be below the current cap, a raised cap above it.
    error CapNotLower(uint256 current, uint256 requested);
    error CapNotHigher(uint256 current, uint256 requested);

    /// @notice No raise is queued, its delay has not ended, or its window has ended.
    error NoCapRaiseQueued();
    error CapRaiseNotReady(uint256 executableAt);
    error CapRaiseExpired(uint256 expiredAt);

    /// @notice Adds `amount` to today's outflow. Reverts when the cap is exceeded.
    function spend(Limit storage self, uint256 amount) internal {
        uint256 left = remaining(self);
        if (amount > left) revert DailyCapExceeded(left, amount);
        self.spent = (spentToday(self) + amount).toUint112();
        self.day = _today();
    }

    /// @notice Sets a lower cap and cancels a queued raise.
    function lower(Limit storage self, uint256 newCap) internal {
        if (newCap >= self.cap) revert CapNotLower(self.cap, newCap);
        self.cap = newCap.toUint112();
        _clearRaise(self);
    }

    /// @notice Announces a higher cap and replaces an earlier announcement.
    /// @return executableAt The earliest time of its execution.
    function queueRaise(Limit storage self, uint256 newCap) internal returns (uint48 executableAt) {
        if (newCap <= self.cap) revert CapNotHigher(self.cap, newCap);
        executableAt = uint48(block.timestamp) + RAISE_DELAY;
        self.raiseTo = newCap.toUint112();
        self.raiseAt = executableAt;
    }

    /// @notice Cancels the announced raise.
    function cancelRaise(Limit storage self) internal {
        if (self.raiseAt == 0) revert NoCapRaiseQueued();
        _clearRaise(self);
    }

    /// @notice Sets the announced cap. Reverts outside its window.
    function executeRaise(Limit storage self) internal returns (uint256 newCap) {
        uint256 executableAt = self.raiseAt;
        if (executableAt == 0) revert NoCapRaiseQueued();
        if (block.timestamp < executableAt) revert CapRaiseNotReady(executableAt);
        uint256 expiresAt = executableAt + RAISE_WINDOW;
        if (block.timestamp > expiresAt) revert CapRaiseExpired(expiresAt);
        newCap = self.raiseTo;
        self.cap = self.raiseTo;
        _clearRaise(self);
    }

    /// @notice Returns the outflow since 00:00 UTC.
    function spentToday(Limit storage self) internal view returns (uint256) {
        return self.day == _today() ? self.spent : 0;
    }

    /// @notice Returns the amount that can still be paid out before the next 00:00 UTC: zero when the cap was lowered below
    /// the outflow.
    function remaining(Limit storage self) internal view returns (uint256) {
        uint256 spent = spentToday(self);
        return spent < self.cap ? self.cap - spent : 0;
    }

    function _clearRaise(Limit storage self) private {
        self.raiseTo = 0;
        self.raiseAt = 0;
    }

    function _today() private view returns (uint32) {
        return uint32(block.timestamp / 1 days);
    }
}
