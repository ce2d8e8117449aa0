// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {BankRoles} from "./BankRoles.sol";
import {IBankHandOver} from "./interfaces/IBankHandOver.sol";
import {ExactTransfer} from "./libraries/ExactTransfer.sol";
import {PublicDelay} from "./libraries/PublicDelay.sol";

/// @title Tokens of the bank, and their hand-over to a successor (see IBankHandOver)
abstract contract BankHandOver is IBankHandOver, BankRoles, ReentrancyGuardTransient {
    using ExactTransfer for IERC20;

    uint256 public constant HAND_OVER_DELAY = PublicDelay.HAND_OVER_DELAY;

    /// @inheritdoc IBankHandOver
    address public immutable usdt;
    /// @inheritdoc IBankHandOver
    address public immutable amc;
    /// @inheritdoc IBankHandOver
    address public immutable predecessor;

    /// @inheritdoc IBankHandOver
    address public successor;

    address private _queuedSuccessor;
    uint48 private _handOverAt;

    constructor(address usdt_, address amc_, address predecessor_) {
        if (usdt_.code.length == 0) revert UnsupportedToken(usdt_);
        if (amc_.code.length == 0 || amc_ == usdt_) revert UnsupportedToken(amc_);
        usdt = usdt_;
        amc = amc_;
        predecessor = predecessor_;
    }

    modifier onlySupported(address token) {
        _requireSupported(token);
        _;
    }

    modifier whileOpen() {
        _requireOpen();
        _;
    }

    /// @inheritdoc IBankHandOver
    function queueHandOver(address next) external onlyRole(DEFAULT_ADMIN_ROLE) whileOpen {
        _requireSuccessor(next);
        _cancelHandOver();
        _queuedSuccessor = next;
        _handOverAt = PublicDelay.start(PublicDelay.HAND_OVER_DELAY);
        emit HandOverQueued(next, _handOverAt);
    }

    /// @inheritdoc IBankHandOver
    function cancelHandOver() external onlyCanceller {
        if (!_cancelHandOver()) revert PublicDelay.NothingQueued();
    }

    /// @inheritdoc IBankHandOver
    function executeHandOver() external nonReentrant onlyRole(DEFAULT_ADMIN_ROLE) {
        address next = _queuedSuccessor;
        PublicDelay.requireExecutable(_handOverAt);
        _requireSuccessor(next);
        _clearHandOver();
        successor = next;
        uint256 usdtAmount = _balanceOf(usdt);
        uint256 amcAmount = _balanceOf(amc);
        emit HandedOver(next, usdtAmount, amcAmount);
        if (usdtAmount != 0) IERC20(usdt).push(next, usdtAmount);
        if (amcAmount != 0) IERC20(amc).push(next, amcAmount);
    }

    /// @inheritdoc IBankHandOver
    function pendingHandOver() external view returns (address, uint256) {
        return (_queuedSuccessor, _handOverAt);
    }

    /// @inheritdoc IBankHandOver
    function handedOver() public view returns (bool) {
        return successor != address(0);
    }

    function _changesAreQueued() internal view virtual override returns (bool) {
        return _handOverAt != 0 || super._changesAreQueued();
    }

    function _requireSupported(address token) internal view {
        if (token != usdt && token != amc) revert UnsupportedToken(token);
    }

    /// @dev Reports whether tokens that are sent to the account would be lost.
    function _isUnfitReceiver(address account) internal view returns (bool) {
        return account == address(this) || account == usdt || account == amc;
    }

    function _balanceOf(address token) internal view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }

    function _requireOpen() private view {
        if (handedOver()) revert BankIsClosed();
    }

    function _requireSuccessor(address next) private view {
        IBankHandOver bank = IBankHandOver(next);
        if (
            next.code.length == 0 || bank.predecessor() != address(this) || bank.usdt() != usdt
                || bank.amc() != amc || bank.handedOver()
        ) revert InvalidSuccessor(next);
    }

    function _cancelHandOver() private returns (bool wasQueued) {
        wasQueued = _handOverAt != 0;
        if (!wasQueued) return false;
        emit HandOverCancelled(_queuedSuccessor);
        _clearHandOver();
    }

    function _clearHandOver() private {
        _queuedSuccessor = address(0);
        _handOverAt = 0;
    }
}
