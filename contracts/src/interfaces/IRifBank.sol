// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The bank: where orders are paid in and withdrawals are claimed
/// @notice Tokens enter by `payOrder`, `payOrderWithPermit` and `depositRevenue`, and leave by `claim` alone,
/// never more per token and UTC day than the cap. There is no upgrade, no rescue and no owner's withdrawal.
/// Amounts are base units of the token, times are seconds since 1970, a day is `timestamp / 86400` (UTC).
interface IRifBank {
    /// @notice A quote for one package order, signed by a quote signer. Its EIP-712 type is
    /// `Order(uint256 orderId,address payer,uint256 usdtAmount,uint256 amcAmount,uint256 deadline)`.
    struct Order {
        uint256 orderId;
        address payer;
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

    /// @notice One asset's line of a day's solvency report.
    /// @param asset The asset's symbol in ASCII, padded with zeros on the right.
    /// @param liabilityMicros What is owed to members, in 10^-6 units.
    /// @param holdingMicros What is held against it, in 10^-6 units.
    /// @param poolMicros What the reward pools hold of it, in 10^-6 units.
    struct AssetTotals {
        bytes32 asset;
        uint128 liabilityMicros;
        uint128 holdingMicros;
        uint128 poolMicros;
    }

    /// @notice What the bank is created with.
    /// @param usdt The stablecoin, with any number of decimals.
    /// @param amc The native token, with EIP-2612.
    /// @param admin Default admin: roles, caps, unpausing. A multi-signature in production.
    /// @param adminDelay Seconds that a transfer of the default admin stays announced.
    /// @param quoteSigner Signs orders.
    /// @param claimSigner Signs claims.
    /// @param publisher Publishes solvency roots.
    /// @param pauser Pauses orders, dismisses a stolen claim key, and withdraws a queued raise of a cap.
    /// @param usdtDailyCap What may leave per UTC day in USDT.
    /// @param amcDailyCap What may leave per UTC day in AMC.
    struct Config {
        address usdt;
        address amc;
        address admin;
        uint48 adminDelay;
        address quoteSigner;
        address claimSigner;
        address publisher;
        address pauser;
        uint256 usdtDailyCap;
        uint256 amcDailyCap;
    }

    /// @notice An order was paid in full.
    event OrderPaid(uint256 indexed orderId, address indexed payer, uint256 usdtAmount, uint256 amcAmount);

    /// @notice A withdrawal was paid out.
    event Claimed(uint256 indexed withdrawalId, address indexed token, address indexed to, uint256 amount);

    /// @notice Revenue earned elsewhere was paid in; `documentHash` commits to the paper that proves its source.
    event RevenueDeposited(
        uint256 indexed depositId,
        address indexed from,
        bytes32 indexed label,
        address token,
        uint256 amount,
        bytes32 documentHash
    );

    /// @notice The Merkle root and the totals of a day's liabilities.
    event SolvencyPublished(uint32 indexed day, bytes32 root, AssetTotals[] totals);

    event OrdersPauseChanged(bool paused, address indexed account);

    event DailyCapChanged(address indexed token, uint256 previousCap, uint256 newCap);
    event CapRaiseQueued(address indexed token, uint256 newCap, uint256 executableAt);
    event CapRaiseCancelled(address indexed token);

    error ZeroAddress();
    error ZeroAmount();
    /// @notice Neither the USDT nor the AMC of this bank.
    error UnsupportedToken(address token);
    error OrdersArePaused();
    /// @notice The quote names another payer.
    error NotThePayer(address payer, address sender);
    error DeadlinePassed(uint256 deadline);
    error OrderAlreadyPaid(uint256 orderId);
    error AlreadyClaimed(uint256 withdrawalId);
    /// @notice The signature is sound but its signer does not hold `role`.
    error UnauthorizedSigner(address signer, bytes32 role);
    /// @notice A claim may not pay the bank itself or a token contract.
    error InvalidReceiver(address to);
    error EmptyRoot();
    error SolvencyAlreadyPublished(uint32 day);
    /// @notice A day is published after it has ended, not before.
    error DayNotOver(uint32 day);

    /// @notice Pays an order once, before its deadline, by the payer named in it. Needs allowances of exactly
    /// both amounts.
    function payOrder(Order calldata order, bytes calldata signature) external;

    /// @notice As `payOrder`, with the allowance for AMC given by an EIP-2612 permit for exactly `amcAmount`.
    /// @dev A permit that somebody else has submitted already does no harm: the allowance counts.
    function payOrderWithPermit(
        Order calldata order,
        bytes calldata signature,
        uint256 permitDeadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Pays a withdrawal once, before its deadline, to the address in the voucher. Anybody may send it.
    function claim(Claim calldata voucher, bytes calldata signature) external;

    /// @notice Pays in revenue earned elsewhere. Anybody may, also while orders are paused.
    /// @param label What kind of revenue, in ASCII.
    /// @param documentHash Hash of the document that proves the source.
    /// @return depositId Counts from 1.
    function depositRevenue(bytes32 label, address token, uint256 amount, bytes32 documentHash)
        external
        returns (uint256 depositId);

    /// @notice Publishes a finished day's Merkle root and totals, once. For publishers.
    function publishSolvency(uint32 day, bytes32 root, AssetTotals[] calldata totals) external;

    /// @notice Stops and resumes the payment of orders. Pausers stop, the default admin resumes.
    function pauseOrders() external;
    function unpauseOrders() external;

    /// @notice Takes a stolen claim key out of use at once. There is no pause of claims: what was approved is signed
    /// again by another key, under the same withdrawal id, and paid. For pausers; the default admin appoints a signer.
    function dismissClaimSigner(address signer) external;

    /// @notice Lowers a daily cap at once and withdraws a queued raise. For the default admin.
    function lowerDailyCap(address token, uint256 newCap) external;

    /// @notice Announces a raise of a daily cap. For the default admin.
    function queueCapRaise(address token, uint256 newCap) external;

    /// @notice Carries out an announced raise after `CAP_RAISE_DELAY`, within `CAP_RAISE_WINDOW`. For the default
    /// admin.
    function executeCapRaise(address token) external;

    /// @notice Withdraws an announced raise. For the default admin and for pausers.
    function cancelCapRaise(address token) external;

    function usdt() external view returns (address);
    function amc() external view returns (address);
    function orderPaid(uint256 orderId) external view returns (bool);
    function claimed(uint256 withdrawalId) external view returns (bool);
    function ordersPaused() external view returns (bool);
    /// @notice How many deposits of revenue there were.
    function depositCount() external view returns (uint256);
    /// @notice The root published for a day, zero when there is none.
    function solvencyRoot(uint32 day) external view returns (bytes32);
    function dailyCap(address token) external view returns (uint256);
    /// @notice What was claimed since 00:00 UTC.
    function outflowToday(address token) external view returns (uint256);
    /// @notice What can be claimed until the next 00:00 UTC, the bank's balance permitting.
    function remainingToday(address token) external view returns (uint256);
    /// @notice The announced cap and when it can be carried out first; zeros when none is announced.
    function pendingCapRaise(address token) external view returns (uint256 newCap, uint256 executableAt);
    /// @notice The EIP-712 digests that the signers sign.
    function hashOrder(Order calldata order) external view returns (bytes32);
    function hashClaim(Claim calldata voucher) external view returns (bytes32);
}
