// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {PublicDelay} from "./PublicDelay.sol";

/// @title Limit on the outflow per UTC day, lowered at once and raised after a delay
/// @notice The cap bounds the loss through a stolen claim key. It can therefore be lowered at once, while a raise is
/// announced on chain first, can be executed only during a later window, and at most doubles the cap.
library DailyCap {
    using SafeCast for uint256;

    /// @dev Occupies three slots, of which a payout uses only the first.
    struct Limit {
        uint112 cap;
        uint112 spent;
        uint32 day;
        uint112 raiseTo;
        uint48 raiseAt;
        uint112 initialCap;
    }

    /// @notice `requested` exceeds the remainder of today's cap.
    error DailyCapExceeded(uint256 remaining, uint256 requested);

    /// @notice A lowered cap must be below the current cap, a raised cap above it.
    error CapNotLower(uint256 current, uint256 requested);
    error CapNotHigher(uint256 current, uint256 requested);

    /// @notice `requested` exceeds both twice the current cap and the cap at creation.
    error CapRaiseTooLarge(uint256 highest, uint256 requested);

    /// @notice Sets the cap at creation.
    function create(Limit storage self, uint256 cap) internal {
        self.cap = cap.toUint112();
        self.initialCap = self.cap;
    }

    /// @notice Adds `amount` to today's outflow. Reverts when the cap is exceeded.
    function spend(Limit storage self, uint256 amount) internal {
        uint256 left = remaining(self);
        if (amount > left) revert DailyCapExceeded(left, amount);
        self.spent = (spentToday(self) + amount).toUint112();
        self.day = _today();
    }

    /// @notice Sets a lower cap. The caller cancels a queued raise.
    function lower(Limit storage self, uint256 newCap) internal {
        if (newCap >= self.cap) revert CapNotLower(self.cap, newCap);
        self.cap = newCap.toUint112();
    }

    /// @notice Announces a higher cap: at most twice the current one, or the cap at creation after a lowering below its
    /// half. The caller cancels an earlier announcement.
    /// @return executableAt The earliest time of its execution.
    function queueRaise(Limit storage self, uint256 newCap) internal returns (uint48 executableAt) {
        if (newCap <= self.cap) revert CapNotHigher(self.cap, newCap);
        uint256 highest = Math.max(2 * uint256(self.cap), self.initialCap);
        if (newCap > highest) revert CapRaiseTooLarge(highest, newCap);
        executableAt = PublicDelay.start(PublicDelay.DELAY);
        self.raiseTo = newCap.toUint112();
        self.raiseAt = executableAt;
    }

    /// @notice Cancels the announced raise, if there is one.
    /// @return wasQueued Whether there was one.
    function cancelRaise(Limit storage self) internal returns (bool wasQueued) {
        wasQueued = self.raiseAt != 0;
        if (wasQueued) _clearRaise(self);
    }

    /// @notice Sets the announced cap. Reverts outside its window.
    function executeRaise(Limit storage self) internal returns (uint256 newCap) {
        PublicDelay.requireExecutable(self.raiseAt);
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
