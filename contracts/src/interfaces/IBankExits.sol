// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Exits of the operator's money: treasury payouts and fund investments
/// @notice An exit is announced by the treasurer, waits `CHANGE_DELAY` in public, and can then be executed by any account
/// within `CHANGE_WINDOW`, once. It goes to a listed destination only, and is refused unless the liabilities that were
/// published last stay covered. A destination is listed after `CHANGE_DELAY`.
interface IBankExits {
    enum ExitState {
        None,
        Announced,
        Executed,
        Cancelled
    }

    /// @notice One exit. Its id is used once for ever.
    /// @param kind 0 for a treasury payout, 1 for a fund investment, which is in USDT.
    /// @param productId The fund product; zero for a treasury payout.
    /// @param amount In base units of the token.
    struct Exit {
        uint256 exitId;
        uint8 kind;
        uint256 productId;
        address token;
        address to;
        uint256 amount;
    }

    /// @notice The liabilities of one token in the solvency report of a day, in its base units.
    /// @param liabilities The amount owed, without the cash of fund products.
    /// @param fundCash The cash of all fund products.
    struct AssetTotals {
        address token;
        uint128 liabilities;
        uint128 fundCash;
    }

    /// @notice The last publication of a token and the outflow since.
    /// @param publishedAt The time from which the publication's age counts; zero before the first.
    /// @param liabilities As published.
    /// @param fundCash As published.
    /// @param held The balance at the publication less the outflow since. Later inflow is not counted.
    /// @param invested The fund investments since the publication.
    struct Cover {
        uint128 liabilities;
        uint128 fundCash;
        uint128 held;
        uint128 invested;
        uint48 publishedAt;
    }

    event DestinationQueued(address indexed destination, uint256 executableAt);
    event DestinationCancelled(address indexed destination);
    event DestinationListed(address indexed destination);
    event DestinationRemoved(address indexed destination);

    event ExitAnnounced(
        uint256 indexed exitId,
        uint8 kind,
        uint256 productId,
        address indexed token,
        address indexed to,
        uint256 amount,
        uint256 executableAt
    );
    event ExitExecuted(
        uint256 indexed exitId,
        uint8 kind,
        uint256 productId,
        address indexed token,
        address indexed to,
        uint256 amount
    );
    event ExitCancelled(uint256 indexed exitId);

    /// @notice The heads of two chains of hashes, so that books of a published day cannot be rewritten unseen.
    /// @param ledger Over all postings up to the end of the day.
    /// @param operators Over the log of the operators' actions.
    struct Heads {
        bytes32 ledger;
        bytes32 operators;
    }

    /// @notice The Merkle root, the heads and the totals of the liabilities of a day were published.
    event SolvencyPublished(uint32 indexed day, bytes32 root, Heads heads, AssetTotals[] totals);

    error AlreadyListed(address destination);
    error NotListed(address destination);
    /// @notice An exit of this id was announced before.
    error ExitIdUsed(uint256 exitId);
    /// @notice No exit waits under this id, or its terms differ from the announced ones.
    error ExitNotAnnounced(uint256 exitId);
    /// @notice The kind is unknown, or does not fit the product or the token.
    error InvalidExit(uint8 kind, uint256 productId, address token);
    error EmptyRoot();
    /// @notice This day or a later one was published before.
    error SolvencyAlreadyPublished(uint32 day);
    /// @notice A day can be published only after its end.
    error DayNotOver(uint32 day);
    /// @notice The totals must be those of USDT and AMC, in this order.
    error UnexpectedTotals();

    /// @notice Announces a destination of exits. Requires the default admin role.
    function queueDestination(address destination) external;

    /// @notice Lists an announced destination after the delay, within the window. Requires the default admin role.
    function executeDestination(address destination) external;

    /// @notice Cancels an announced destination. Requires the guardian, pauser or default admin role.
    function cancelDestination(address destination) external;

    /// @notice Removes a listed destination at once. Exits to it cannot be executed. Requires the default admin role.
    function removeDestination(address destination) external;

    /// @notice Announces an exit to a listed destination. Requires the treasurer role. The coverage of the liabilities is
    /// checked at the execution only.
    function announceExit(Exit calldata exit) external;

    /// @notice Executes an announced exit after the delay, within the window, with exactly the announced terms. Callable by
    /// any account. A treasury payout needs held - amount >= liabilities + fundCash - invested. A fund investment needs
    /// invested + amount <= fundCash and held - amount >= liabilities + fundCash - invested - amount.
    function executeExit(Exit calldata exit) external;

    /// @notice Cancels an announced exit for ever. Requires the guardian, pauser, default admin or treasurer role.
    function cancelExit(uint256 exitId) external;

    /// @notice Publishes the Merkle root, the heads and the totals of a past day, later than every published one. Requires the
    /// publisher role. The heads are only emitted: the root covers them.
    function publishSolvency(uint32 day, bytes32 root, Heads calldata heads, AssetTotals[] calldata totals)
        external;

    /// @notice The destinations to which exits can go.
    function destinations() external view returns (address[] memory);
    /// @notice The state of an exit, the hash of its terms, and the earliest time of its execution.
    function exitOf(uint256 exitId)
        external
        view
        returns (ExitState state, uint256 executableAt, bytes32 termsHash);
    /// @notice The last publication of a token, and the outflow since.
    function coverOf(address token) external view returns (Cover memory);
    /// @notice The largest treasury payout, and the largest fund investment, that the publication covers now.
    function coveredExits(address token) external view returns (uint256 payout, uint256 investment);
    /// @notice The root published for a day; zero when none was published.
    function solvencyRoot(uint32 day) external view returns (bytes32);
    /// @notice The last day that was published; zero before the first publication.
    function lastSolvencyDay() external view returns (uint32);
}
