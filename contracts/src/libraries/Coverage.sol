// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IBankExits} from "../interfaces/IBankExits.sol";

/// @title The amounts that may leave the bank according to the last publication of a token
/// @notice With liabilities L, fund cash F, investments since the publication I and holdings H (the balance at the publication
/// less all that left since), a treasury payout needs H - amount >= L + F - I. A fund investment needs I + amount <= F and
/// H - amount >= L + F - I - amount. A publication that is older than 48 hours allows nothing.
library Coverage {
    using SafeCast for uint256;

    uint256 internal constant MAX_AGE = 48 hours;

    /// @notice The publication is missing or too old, or the exit exceeds what it allows.
    error NotCovered(uint256 allowed, uint256 requested);

    /// @notice Stores a publication.
    /// @param balance The bank's balance of the token.
    /// @param publishedAt The time from which the age counts.
    function publish(
        IBankExits.Cover storage self,
        IBankExits.AssetTotals calldata totals,
        uint256 balance,
        uint256 publishedAt
    ) internal {
        self.liabilities = totals.liabilities;
        self.fundCash = totals.fundCash;
        self.held = balance.toUint128();
        self.invested = 0;
        self.publishedAt = publishedAt.toUint48();
    }

    /// @notice Takes an outflow of any kind from the holdings. They stop at zero, where no exit is allowed any more.
    function reduce(IBankExits.Cover storage self, uint256 amount) internal {
        self.held = uint128(Math.saturatingSub(self.held, amount));
    }

    /// @notice Takes a treasury payout from the holdings. Reverts if it is not covered.
    /// @param balance The bank's balance of the token.
    function payOut(IBankExits.Cover storage self, uint256 amount, uint256 balance) internal {
        (uint256 payout,) = allowed(self, balance);
        if (amount > payout) revert NotCovered(payout, amount);
        reduce(self, amount);
    }

    /// @notice Takes a fund investment from the holdings. Reverts if it is not covered.
    /// @param balance The bank's balance of the token.
    function invest(IBankExits.Cover storage self, uint256 amount, uint256 balance) internal {
        (, uint256 investment) = allowed(self, balance);
        if (amount > investment) revert NotCovered(investment, amount);
        reduce(self, amount);
        self.invested += uint128(amount);
    }

    /// @notice Returns the largest payout and the largest investment that are covered now.
    /// @dev A token that took tokens away from the bank lowers its holdings like an outflow.
    function allowed(IBankExits.Cover storage self, uint256 balance)
        internal
        view
        returns (uint256 payout, uint256 investment)
    {
        // Before the first publication, this time is 1970.
        if (block.timestamp > self.publishedAt + MAX_AGE) return (0, 0);
        uint256 held = Math.min(self.held, balance) + self.invested;
        uint256 owed = uint256(self.liabilities) + self.fundCash;
        if (held < owed) return (0, 0);
        return (held - owed, self.fundCash - self.invested);
    }
}
