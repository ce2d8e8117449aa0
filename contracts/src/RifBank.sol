// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";

import {IRifBank} from "./interfaces/IRifBank.sol";
import {DailyCap} from "./libraries/DailyCap.sol";
import {ExactTransfer} from "./libraries/ExactTransfer.sol";

/// @title Bank that accepts the payment of orders and pays signed withdrawal claims (see IRifBank)
contract RifBank is IRifBank, AccessControlDefaultAdminRules, EIP712, ReentrancyGuardTransient {
    using BitMaps for BitMaps.BitMap;
    using DailyCap for DailyCap.Limit;
    using ExactTransfer for IERC20;
    using SafeCast for uint256;

    bytes32 public constant QUOTE_SIGNER_ROLE = keccak256("QUOTE_SIGNER_ROLE");
    bytes32 public constant CLAIM_SIGNER_ROLE = keccak256("CLAIM_SIGNER_ROLE");
    bytes32 public constant PUBLISHER_ROLE = keccak256("PUBLISHER_ROLE");
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");

    bytes32 public constant ORDER_TYPEHASH = keccak256(
        "Order(uint256 orderId,address payer,uint256 usdtAmount,uint256 amcAmount,uint256 deadline)"
    );
    bytes32 public constant CLAIM_TYPEHASH =
        keccak256("Claim(uint256 withdrawalId,address token,address to,uint256 amount,uint256 deadline)");

    uint256 public constant CAP_RAISE_DELAY = DailyCap.RAISE_DELAY;
    uint256 public constant CAP_RAISE_WINDOW = DailyCap.RAISE_WINDOW;

    /// @inheritdoc IRifBank
    address public immutable usdt;
    /// @inheritdoc IRifBank
    address public immutable amc;

    /// @inheritdoc IRifBank
    bool public ordersPaused;
    /// @inheritdoc IRifBank
    uint256 public depositCount;
    /// @inheritdoc IRifBank
    mapping(uint32 day => bytes32 root) public solvencyRoot;

    BitMaps.BitMap private _paidOrders;
    BitMaps.BitMap private _claimedWithdrawals;
    mapping(address token => DailyCap.Limit) private _limits;

    constructor(Config memory config)
        AccessControlDefaultAdminRules(config.adminDelay, config.admin)
        EIP712("RIFund Bank", "1")
    {
        if (config.usdt.code.length == 0) {
            revert UnsupportedToken(config.usdt);
        }
        if (config.amc.code.length == 0 || config.amc == config.usdt) revert UnsupportedToken(config.amc);
        usdt = config.usdt;
        amc = config.amc;

        _setInitialCap(config.usdt, config.usdtDailyCap);
        _setInitialCap(config.amc, config.amcDailyCap);

        _grantInitialRole(QUOTE_SIGNER_ROLE, config.quoteSigner);
        _grantInitialRole(CLAIM_SIGNER_ROLE, config.claimSigner);
        _grantInitialRole(PUBLISHER_ROLE, config.publisher);
        _grantInitialRole(PAUSER_ROLE, config.pauser);
    }

    modifier onlySupported(address token) {
        _requireSupported(token);
        _;
    }

    // Money in

    /// @inheritdoc IRifBank
    function payOrder(Order calldata order, bytes calldata signature) external nonReentrant {
        _payOrder(order, signature);
    }

    /// @inheritdoc IRifBank
    function payOrderWithPermit(
        Order calldata order,
        bytes calldata signature,
        uint256 permitDeadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant {
        // A permit is public once sent, so anybody can submit it first. Its failure is ignored: the payment below
        // reverts if the allowance is too small.
        try IERC20Permit(amc).permit(msg.sender, address(this), order.amcAmount, permitDeadline, v, r, s) {}
            catch {}
        _payOrder(order, signature);
    }

    /// @inheritdoc IRifBank
    function depositRevenue(bytes32 label, address token, uint256 amount, bytes32 documentHash)
        external
        nonReentrant
        onlySupported(token)
        returns (uint256 depositId)
    {
        if (amount == 0) revert ZeroAmount();
        depositId = ++depositCount;
        emit RevenueDeposited(depositId, msg.sender, label, token, amount, documentHash);
        IERC20(token).pull(msg.sender, address(this), amount);
    }

    // Money out

    /// @inheritdoc IRifBank
    function claim(Claim calldata voucher, bytes calldata signature)
        external
        nonReentrant
        onlySupported(voucher.token)
    {
        if (block.timestamp > voucher.deadline) revert DeadlinePassed(voucher.deadline);
        if (_claimedWithdrawals.get(voucher.withdrawalId)) revert AlreadyClaimed(voucher.withdrawalId);
        if (voucher.amount == 0) revert ZeroAmount();
        address to = voucher.to;
        if (to == address(0)) revert ZeroAddress();
        if (to == address(this) || to == usdt || to == amc) revert InvalidReceiver(to);
        _requireSigner(CLAIM_SIGNER_ROLE, hashClaim(voucher), signature);

        _claimedWithdrawals.set(voucher.withdrawalId);
        _limits[voucher.token].spend(voucher.amount);
        emit Claimed(voucher.withdrawalId, voucher.token, to, voucher.amount);
        IERC20(voucher.token).push(to, voucher.amount);
    }

    // Solvency

    /// @inheritdoc IRifBank
    function publishSolvency(uint32 day, bytes32 root, AssetTotals[] calldata totals)
        external
        onlyRole(PUBLISHER_ROLE)
    {
        if (root == bytes32(0)) revert EmptyRoot();
        if (day >= block.timestamp / 1 days) revert DayNotOver(day);
        if (solvencyRoot[day] != bytes32(0)) revert SolvencyAlreadyPublished(day);
        solvencyRoot[day] = root;
        emit SolvencyPublished(day, root, totals);
    }

    // Pauses and caps

    /// @inheritdoc IRifBank
    function pauseOrders() external onlyRole(PAUSER_ROLE) {
        _setOrdersPaused(true);
    }

    /// @inheritdoc IRifBank
    function unpauseOrders() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setOrdersPaused(false);
    }

    /// @inheritdoc IRifBank
    function dismissClaimSigner(address signer) external onlyRole(PAUSER_ROLE) {
        if (!_revokeRole(CLAIM_SIGNER_ROLE, signer)) revert UnauthorizedSigner(signer, CLAIM_SIGNER_ROLE);
    }

    /// @inheritdoc IRifBank
    function lowerDailyCap(address token, uint256 newCap)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        onlySupported(token)
    {
        uint256 previousCap = _limits[token].cap;
        _limits[token].lower(newCap);
        emit DailyCapChanged(token, previousCap, newCap);
    }

    /// @inheritdoc IRifBank
    function queueCapRaise(address token, uint256 newCap)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        onlySupported(token)
    {
        uint256 executableAt = _limits[token].queueRaise(newCap);
        emit CapRaiseQueued(token, newCap, executableAt);
    }

    /// @inheritdoc IRifBank
    function executeCapRaise(address token) external onlyRole(DEFAULT_ADMIN_ROLE) {
        uint256 previousCap = _limits[token].cap;
        uint256 newCap = _limits[token].executeRaise();
        emit DailyCapChanged(token, previousCap, newCap);
    }

    /// @inheritdoc IRifBank
    function cancelCapRaise(address token) external {
        if (!hasRole(PAUSER_ROLE, msg.sender)) _checkRole(DEFAULT_ADMIN_ROLE);
        _limits[token].cancelRaise();
        emit CapRaiseCancelled(token);
    }

    // Views

    /// @inheritdoc IRifBank
    function orderPaid(uint256 orderId) external view returns (bool) {
        return _paidOrders.get(orderId);
    }

    /// @inheritdoc IRifBank
    function claimed(uint256 withdrawalId) external view returns (bool) {
        return _claimedWithdrawals.get(withdrawalId);
    }

    /// @inheritdoc IRifBank
    function dailyCap(address token) external view returns (uint256) {
        return _limits[token].cap;
    }

    /// @inheritdoc IRifBank
    function outflowToday(address token) external view returns (uint256) {
        return _limits[token].spentToday();
    }

    /// @inheritdoc IRifBank
    function remainingToday(address token) external view returns (uint256) {
        return _limits[token].remaining();
    }

    /// @inheritdoc IRifBank
    function pendingCapRaise(address token) external view returns (uint256 newCap, uint256 executableAt) {
        DailyCap.Limit storage limit = _limits[token];
        return (limit.raiseTo, limit.raiseAt);
    }

    /// @inheritdoc IRifBank
    function hashOrder(Order calldata order) public view returns (bytes32) {
        // All members are static, so the ABI encoding of the struct equals the encoding that EIP-712 requires.
        return _hashTypedDataV4(keccak256(abi.encode(ORDER_TYPEHASH, order)));
    }

    /// @inheritdoc IRifBank
    function hashClaim(Claim calldata voucher) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(CLAIM_TYPEHASH, voucher)));
    }

    // Internals

    function _payOrder(Order calldata order, bytes calldata signature) private {
        if (ordersPaused) revert OrdersArePaused();
        if (msg.sender != order.payer) revert NotThePayer(order.payer, msg.sender);
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);
        if (_paidOrders.get(order.orderId)) revert OrderAlreadyPaid(order.orderId);
        if (order.usdtAmount == 0 && order.amcAmount == 0) revert ZeroAmount();
        _requireSigner(QUOTE_SIGNER_ROLE, hashOrder(order), signature);

        _paidOrders.set(order.orderId);
        emit OrderPaid(order.orderId, msg.sender, order.usdtAmount, order.amcAmount);
        IERC20(usdt).pull(msg.sender, address(this), order.usdtAmount);
        IERC20(amc).pull(msg.sender, address(this), order.amcAmount);
    }

    function _requireSigner(bytes32 role, bytes32 digest, bytes calldata signature) private view {
        address signer = ECDSA.recoverCalldata(digest, signature);
        if (!hasRole(role, signer)) revert UnauthorizedSigner(signer, role);
    }

    function _requireSupported(address token) private view {
        if (token != usdt && token != amc) revert UnsupportedToken(token);
    }

    function _setOrdersPaused(bool paused) private {
        ordersPaused = paused;
        emit OrdersPauseChanged(paused, msg.sender);
    }

    function _setInitialCap(address token, uint256 cap) private {
        _limits[token].cap = cap.toUint112();
        emit DailyCapChanged(token, 0, cap);
    }

    function _grantInitialRole(bytes32 role, address account) private {
        if (account == address(0)) revert ZeroAddress();
        _grantRole(role, account);
    }
}
