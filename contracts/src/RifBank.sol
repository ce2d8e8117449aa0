// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";

import {BankExits} from "./BankExits.sol";
import {BankHandOver} from "./BankHandOver.sol";
import {BankRoles} from "./BankRoles.sol";
import {IBankHandOver} from "./interfaces/IBankHandOver.sol";
import {IRifBank} from "./interfaces/IRifBank.sol";
import {DailyCap} from "./libraries/DailyCap.sol";
import {ExactTransfer} from "./libraries/ExactTransfer.sol";
import {PublicDelay} from "./libraries/PublicDelay.sol";

/// @title Bank that accepts the payment of orders and pays signed withdrawal claims (see IRifBank)
contract RifBank is IRifBank, BankExits, EIP712 {
    using BitMaps for BitMaps.BitMap;
    using DailyCap for DailyCap.Limit;
    using ExactTransfer for IERC20;

    bytes32 public constant ORDER_TYPEHASH = keccak256(
        "Order(uint256 orderId,address payer,uint256 package,uint256 limit,uint256 usdtAmount,uint256 amcAmount,uint256 deadline)"
    );
    bytes32 public constant CLAIM_TYPEHASH =
        keccak256("Claim(uint256 withdrawalId,address token,address to,uint256 amount,uint256 deadline)");

    /// @inheritdoc IRifBank
    bool public ordersPaused;
    /// @inheritdoc IRifBank
    uint256 public depositCount;

    /// @dev Ids are per payer, so that a thief of a quote key cannot use up the order id of another payer.
    mapping(address payer => BitMaps.BitMap) private _paidOrders;
    /// @dev Counts only what this bank was paid; `copiesPaid` adds the banks before it.
    mapping(uint256 package => uint256 copies) private _copiesPaid;
    /// @dev Digests of all terms except the deadline, so that a voucher with other terms leaves the id payable.
    mapping(bytes32 terms => bool) private _paidClaims;
    mapping(address token => DailyCap.Limit) private _limits;

    constructor(Config memory config)
        BankRoles(config.adminDelay, config.admin)
        BankHandOver(config.usdt, config.amc, config.predecessor)
        EIP712("RIFund Bank", "1")
    {
        _setInitialCap(config.usdt, config.usdtDailyCap);
        _setInitialCap(config.amc, config.amcDailyCap);

        _grantRole(QUOTE_SIGNER_ROLE, config.quoteSigner);
        _grantRole(CLAIM_SIGNER_ROLE, config.claimSigner);
        _grantRole(PAUSER_ROLE, config.pauser);
        _grantRole(GUARDIAN_ROLE, config.guardian);
        if (config.publisher != address(0)) _grantRole(PUBLISHER_ROLE, config.publisher);
        if (config.treasurer != address(0)) _grantRole(TREASURER_ROLE, config.treasurer);
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
        // A permit is public once it is sent, so any account can submit it first. Its failure is ignored: the payment
        // below reverts if the allowance is too small.
        try IERC20Permit(amc).permit(msg.sender, address(this), order.amcAmount, permitDeadline, v, r, s) {}
            catch {}
        _payOrder(order, signature);
    }

    /// @inheritdoc IRifBank
    function depositRevenue(bytes32 label, address token, uint256 amount, bytes32 documentHash)
        external
        nonReentrant
        whileOpen
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
    function claim(Claim calldata voucher, bytes calldata signature) external nonReentrant whileOpen {
        _claim(voucher, signature);
    }

    /// @inheritdoc IRifBank
    function claimMany(Claim[] calldata vouchers, bytes[] calldata signatures)
        external
        nonReentrant
        whileOpen
    {
        uint256 count = vouchers.length;
        if (count == 0 || count != signatures.length) revert UnmatchedVouchers(count, signatures.length);
        for (uint256 i = 0; i < count; i++) {
            _claim(vouchers[i], signatures[i]);
        }
    }

    // Pauses and caps

    /// @inheritdoc IRifBank
    function pauseOrders() external {
        if (!hasRole(GUARDIAN_ROLE, msg.sender)) _checkRole(PAUSER_ROLE);
        _setOrdersPaused(true);
    }

    /// @inheritdoc IRifBank
    function unpauseOrders() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setOrdersPaused(false);
    }

    /// @inheritdoc IRifBank
    function lowerDailyCap(address token, uint256 newCap)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        onlySupported(token)
    {
        uint256 previousCap = _limits[token].cap;
        _limits[token].lower(newCap);
        _cancelCapRaise(token);
        emit DailyCapChanged(token, previousCap, newCap);
    }

    /// @inheritdoc IRifBank
    function queueCapRaise(address token, uint256 newCap)
        external
        onlyRole(DEFAULT_ADMIN_ROLE)
        onlySupported(token)
    {
        _cancelCapRaise(token);
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
    function cancelCapRaise(address token) external onlyCanceller {
        if (!_cancelCapRaise(token)) revert PublicDelay.NothingQueued();
    }

    // Views

    /// @inheritdoc IRifBank
    function orderPaid(uint256 orderId, address payer) external view returns (bool) {
        return _paidOrders[payer].get(orderId);
    }

    /// @inheritdoc IRifBank
    function copiesPaid(uint256 package) public view returns (uint256) {
        uint256 before = predecessor == address(0) ? 0 : IRifBank(predecessor).copiesPaid(package);
        return before + _copiesPaid[package];
    }

    /// @inheritdoc IRifBank
    function claimed(uint256 withdrawalId, address token, address to, uint256 amount)
        external
        view
        returns (bool)
    {
        return _paidClaims[_termsOf(withdrawalId, token, to, amount)];
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

    function _payOrder(Order calldata order, bytes calldata signature) private whileOpen {
        if (ordersPaused) revert OrdersArePaused();
        if (msg.sender != order.payer) revert NotThePayer(order.payer, msg.sender);
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);
        BitMaps.BitMap storage paidOrders = _paidOrders[msg.sender];
        if (paidOrders.get(order.orderId)) revert OrderAlreadyPaid(order.orderId);
        if (order.usdtAmount == 0 && order.amcAmount == 0) revert ZeroAmount();
        _requireSigner(QUOTE_SIGNER_ROLE, hashOrder(order), signature);
        if (predecessor != address(0) && IBankHandOver(predecessor).successor() != address(this)) {
            revert PredecessorIsOpen(predecessor);
        }
        if (order.package != 0) {
            if (copiesPaid(order.package) >= order.limit) revert SoldOut(order.package, order.limit);
            _copiesPaid[order.package]++;
        }

        paidOrders.set(order.orderId);
        emit OrderPaid(order.orderId, msg.sender, order.usdtAmount, order.amcAmount);
        if (order.usdtAmount != 0) IERC20(usdt).pull(msg.sender, address(this), order.usdtAmount);
        if (order.amcAmount != 0) IERC20(amc).pull(msg.sender, address(this), order.amcAmount);
    }

    function _claim(Claim calldata voucher, bytes calldata signature)
        private
        onlySupported(voucher.token)
    {
        if (block.timestamp > voucher.deadline) revert DeadlinePassed(voucher.deadline);
        if (voucher.amount == 0) revert ZeroAmount();
        address to = voucher.to;
        if (to == address(0)) revert ZeroAddress();
        if (_isUnfitReceiver(to)) revert InvalidReceiver(to);
        bytes32 terms = _termsOf(voucher.withdrawalId, voucher.token, to, voucher.amount);
        if (_paidClaims[terms]) revert AlreadyClaimed(voucher.withdrawalId);
        _requireSigner(CLAIM_SIGNER_ROLE, hashClaim(voucher), signature);

        _paidClaims[terms] = true;
        _limits[voucher.token].spend(voucher.amount);
        _noteClaim(voucher.token, voucher.amount);
        emit Claimed(voucher.withdrawalId, voucher.token, to, voucher.amount);
        IERC20(voucher.token).push(to, voucher.amount);
    }

    function _termsOf(uint256 withdrawalId, address token, address to, uint256 amount)
        private
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(withdrawalId, token, to, amount));
    }

    function _cancelCapRaise(address token) private returns (bool wasQueued) {
        wasQueued = _limits[token].cancelRaise();
        if (wasQueued) emit CapRaiseCancelled(token);
    }

    function _changesAreQueued() internal view override returns (bool) {
        return _limits[usdt].raiseAt != 0 || _limits[amc].raiseAt != 0 || super._changesAreQueued();
    }

    function _requireSigner(bytes32 role, bytes32 digest, bytes calldata signature) private view {
        address signer = ECDSA.recoverCalldata(digest, signature);
        if (!hasRole(role, signer)) revert UnauthorizedSigner(signer, role);
    }

    function _setOrdersPaused(bool paused) private {
        ordersPaused = paused;
        emit OrdersPauseChanged(paused, msg.sender);
    }

    function _setInitialCap(address token, uint256 cap) private {
        if (cap == 0) revert ZeroAmount();
        uint256 supply = IERC20(token).totalSupply();
        if (cap >= supply) revert UnlimitedCap(cap, supply);
        _limits[token].create(cap);
        emit DailyCapChanged(token, 0, cap);
    }
}
