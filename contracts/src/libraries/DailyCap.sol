// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @title An amount that may leave per UTC day, easy to lower and slow to raise
/// @notice The cap bounds what a stolen claim key can take. Lowering it therefore needs no patience, while a
/// raise is announced on chain first and can be carried out only inside a later window.
library DailyCap {
    using SafeCast for uint256;

    /// @notice How long a raise stays announced before it can be carried out.
    uint48 internal constant RAISE_DELAY = 2 days;

    /// @notice How long after that it can be carried out; an old announcement must not linger for ever.
    uint48 internal constant RAISE_WINDOW = 7 days;

    /// @dev Two slots: the first is all that a payout touches.
    struct Limit {
        uint112 cap;
        uint112 spent;
        uint32 day;
        uint112 raiseTo;
        uint48 raiseAt;
    }

    /// @notice `requested` does not fit into what is left of today's cap.
    error DailyCapExceeded(uint256 remaining, uint256 requested);

    /// @notice A lowered cap must be below the current one, a raised one above it.
    error CapNotLower(uint256 current, uint256 requested);
    error CapNotHigher(uint256 current, uint256 requested);

    /// @notice No raise is queued, or its time has not come, or has passed.
    error NoCapRaiseQueued();
    error CapRaiseNotReady(uint256 executableAt);
    error CapRaiseExpired(uint256 expiredAt);

    /// @notice Counts `amount` against today's cap.
    function spend(Limit storage self, uint256 amount) internal {
        uint256 left = remaining(self);
        if (amount > left) revert DailyCapExceeded(left, amount);
        self.spent = (spentToday(self) + amount).toUint112();
        self.day = _today();
    }

    /// @notice Sets a lower cap at once and withdraws a queued raise.
    function lower(Limit storage self, uint256 newCap) internal {
        if (newCap >= self.cap) revert CapNotLower(self.cap, newCap);
        self.cap = newCap.toUint112();
        _clearRaise(self);
    }

    /// @notice Announces a higher cap, in place of one announced before.
    /// @return executableAt When it can be carried out first.
    function queueRaise(Limit storage self, uint256 newCap) internal returns (uint48 executableAt) {
        if (newCap <= self.cap) revert CapNotHigher(self.cap, newCap);
        executableAt = uint48(block.timestamp) + RAISE_DELAY;
        self.raiseTo = newCap.toUint112();
        self.raiseAt = executableAt;
    }

    /// @notice Withdraws the announced raise.
    function cancelRaise(Limit storage self) internal {
        if (self.raiseAt == 0) revert NoCapRaiseQueued();
        _clearRaise(self);
    }

    /// @notice Carries out the announced raise inside its window.
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

    /// @notice What has left since 00:00 UTC.
    function spentToday(Limit storage self) internal view returns (uint256) {
        return self.day == _today() ? self.spent : 0;
    }

    /// @notice What may still leave before the next 00:00 UTC; zero when the cap was lowered below what left.
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
