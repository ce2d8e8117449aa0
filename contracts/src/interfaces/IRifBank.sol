// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Bank that accepts the payment of orders and pays signed withdrawal claims
/// @notice Tokens enter through `payOrder`, `payOrderWithPermit` and `depositRevenue`. They leave through `claim`, up to a cap
/// per token and UTC day, through announced exits above the published liabilities (IBankExits), and all at once to a
/// successor (IBankHandOver). The bank cannot be upgraded, and no role can withdraw or rescue tokens in another way.
/// Amounts are base units of the token, times are seconds since 1970, and a day is `timestamp / 86400` (UTC).
interface IRifBank {
    /// @notice A quote for one order, signed by a quote signer. Its EIP-712 type is
    /// `Order(uint256 orderId,address payer,uint256 package,uint256 limit,uint256 usdtAmount,uint256 amcAmount,uint256 deadline)`.
    /// `package` is the package that the order buys a copy of, or 0 for an order that is not counted. `limit` is the most
    /// copies of it that may be paid in all.
    struct Order {
        uint256 orderId;
        address payer;
        uint256 package;
        uint256 limit;
        uint256 usdtAmount;
        uint256 amcAmount;
        uint256 deadline;
    }

    /// @notice A voucher for one approved withdrawal, signed by a claim signer. Its EIP-712 type is
    /// `Claim(uint256 withdrawalId,address token,address to,uint256 amount,uint256 deadline)`.
    struct Claim {
        uint256 withdrawalId;
        address token;
        address to;
        uint256 amount;
        uint256 deadline;
    }

    /// @notice The configuration of a new bank.
    /// @param usdt The stablecoin, with any number of decimals.
    /// @param amc The native token, with EIP-2612.
    /// @param admin Default admin: manages roles and caps, resumes orders. A multi-signature wallet in production.
    /// @param adminDelay The delay before a transfer of the default admin role can be accepted, in seconds; at least
    /// two days.
    /// @param quoteSigner Signs orders.
    /// @param claimSigner Signs claims.
    /// @param publisher Publishes solvency roots; zero for none.
    /// @param pauser Pauses orders, dismisses a stolen claim key and cancels what is queued.
    /// @param guardian Pauses orders and cancels what is queued. Its own removal waits in the queue.
    /// @param treasurer Announces exits; zero for none.
    /// @param predecessor The bank that may hand over to this one; zero for none.
    /// @param usdtDailyCap The limit on the outflow of USDT per UTC day, below the supply of the token.
    /// @param amcDailyCap The limit on the outflow of AMC per UTC day, below the supply of the token.
    struct Config {
        address usdt;
        address amc;
        address admin;
        uint48 adminDelay;
        address quoteSigner;
        address claimSigner;
        address publisher;
        address pauser;
        address guardian;
        address treasurer;
        address predecessor;
        uint256 usdtDailyCap;
        uint256 amcDailyCap;
    }

    /// @notice An order was paid in full.
    event OrderPaid(uint256 indexed orderId, address indexed payer, uint256 usdtAmount, uint256 amcAmount);

    /// @notice A withdrawal was paid out.
    event Claimed(uint256 indexed withdrawalId, address indexed token, address indexed to, uint256 amount);

    /// @notice Revenue from outside was deposited. `documentHash` is the hash of the document that proves its source.
    event RevenueDeposited(
        uint256 indexed depositId,
        address indexed from,
        bytes32 indexed label,
        address token,
        uint256 amount,
        bytes32 documentHash
    );

    event OrdersPauseChanged(bool paused, address indexed account);

    event DailyCapChanged(address indexed token, uint256 previousCap, uint256 newCap);
    event CapRaiseQueued(address indexed token, uint256 newCap, uint256 executableAt);
    event CapRaiseCancelled(address indexed token);

    /// @notice A cap that reaches the supply of the token limits nothing.
    error UnlimitedCap(uint256 cap, uint256 supply);
    error OrdersArePaused();
    /// @notice The quote is for another payer.
    error NotThePayer(address payer, address sender);
    error DeadlinePassed(uint256 deadline);
    error OrderAlreadyPaid(uint256 orderId);
    /// @notice As many copies of the package as the quote allows are paid.
    error SoldOut(uint256 package, uint256 limit);
    /// @notice The bank that this one takes over from has not handed over, so its copies are not all counted.
    error PredecessorIsOpen(address predecessor);
    error AlreadyClaimed(uint256 withdrawalId);
    error UnmatchedVouchers(uint256 vouchers, uint256 signatures);

    /// @notice Pays an order, not after its deadline. Only the payer of the order can call it, with an allowance for each
    /// of the two amounts. A payer pays one order id once, whatever is signed later. Among the payers of the last copies the
    /// order of the chain decides. A bank with a predecessor accepts orders once that one has handed over to it.
    function payOrder(Order calldata order, bytes calldata signature) external;

    /// @notice Pays an order like `payOrder`, with an EIP-2612 permit for exactly `amcAmount` as the allowance for AMC.
    /// @dev Succeeds if another account has already submitted the permit, because only the allowance counts.
    function payOrderWithPermit(
        Order calldata order,
        bytes calldata signature,
        uint256 permitDeadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Pays a withdrawal, not after its deadline, to the address in the voucher. Callable by any account. The same
    /// terms (id, token, receiver and amount) are paid once, whatever their deadline.
    function claim(Claim calldata voucher, bytes calldata signature) external;

    /// @notice Pays several withdrawals as `claim` pays each, all or none. Callable by any account.
    /// @param signatures One signature for each voucher, in the same order.
    function claimMany(Claim[] calldata vouchers, bytes[] calldata signatures) external;

    /// @notice Deposits revenue from outside. Callable by any account, also while orders are paused.
    /// @param label The kind of revenue, in ASCII.
    /// @param documentHash Hash of the document that proves the source.
    /// @return depositId The number of the deposit, starting from 1.
    function depositRevenue(bytes32 label, address token, uint256 amount, bytes32 documentHash)
        external
        returns (uint256 depositId);

    /// @notice Stops (pauser or guardian) and resumes (default admin) the payment of orders.
    function pauseOrders() external;
    function unpauseOrders() external;

    /// @notice Lowers a daily cap at once and cancels a queued raise. Requires the default admin role.
    function lowerDailyCap(address token, uint256 newCap) external;

    /// @notice Announces a raise of a daily cap to at most twice the cap, or to the cap at creation, and cancels an earlier
    /// announcement. Requires the default admin role.
    function queueCapRaise(address token, uint256 newCap) external;

    /// @notice Executes an announced raise after the delay, within the window. Requires the default admin role.
    function executeCapRaise(address token) external;

    /// @notice Cancels an announced raise. Requires the guardian, pauser or default admin role.
    function cancelCapRaise(address token) external;

    /// @notice Whether this payer has paid an order of this id.
    function orderPaid(uint256 orderId, address payer) external view returns (bool);
    /// @notice The copies of a package that were paid to this bank and to the banks before it.
    function copiesPaid(uint256 package) external view returns (uint256);
    /// @notice Whether a claim with exactly these terms was paid.
    function claimed(uint256 withdrawalId, address token, address to, uint256 amount)
        external
        view
        returns (bool);
    function ordersPaused() external view returns (bool);
    /// @notice The number of revenue deposits.
    function depositCount() external view returns (uint256);
    function dailyCap(address token) external view returns (uint256);
    /// @notice The amount claimed since 00:00 UTC.
    function outflowToday(address token) external view returns (uint256);
    /// @notice The amount that can still be claimed before the next 00:00 UTC, if the balance of the bank suffices.
    function remainingToday(address token) external view returns (uint256);
    /// @notice The announced cap and the earliest time of its execution; zeros when none is announced.
    function pendingCapRaise(address token) external view returns (uint256 newCap, uint256 executableAt);
    /// @notice Returns the EIP-712 digest of an order or a claim, which the signer signs.
    function hashOrder(Order calldata order) external view returns (bytes32);
    function hashClaim(Claim calldata voucher) external view returns (bytes32);
}
