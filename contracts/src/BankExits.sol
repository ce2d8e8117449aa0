// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {EnumerableMap} from "@openzeppelin/contracts/utils/structs/EnumerableMap.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

import {BankHandOver} from "./BankHandOver.sol";
import {IBankExits} from "./interfaces/IBankExits.sol";
import {Coverage} from "./libraries/Coverage.sol";
import {ExactTransfer} from "./libraries/ExactTransfer.sol";
import {PublicDelay} from "./libraries/PublicDelay.sol";

/// @title Exits of the operator's money, their destinations, and the publications that bound them (see IBankExits)
abstract contract BankExits is IBankExits, BankHandOver {
    using Coverage for Cover;
    using EnumerableMap for EnumerableMap.AddressToUintMap;
    using EnumerableSet for EnumerableSet.AddressSet;
    using ExactTransfer for IERC20;

    struct ExitRecord {
        bytes32 termsHash;
        uint48 executableAt;
        ExitState state;
    }

    uint8 private constant TREASURY_PAYOUT = 0;
    uint8 private constant FUND_INVESTMENT = 1;

    /// @inheritdoc IBankExits
    mapping(uint32 day => bytes32 root) public solvencyRoot;
    /// @inheritdoc IBankExits
    uint32 public lastSolvencyDay;

    uint256 private _announcedExits;
    mapping(uint256 exitId => ExitRecord) private _exits;
    mapping(address token => Cover) private _covers;
    EnumerableSet.AddressSet private _destinations;
    EnumerableMap.AddressToUintMap private _queuedDestinations;

    // Destinations

    /// @inheritdoc IBankExits
    function queueDestination(address destination) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (destination == address(0)) revert ZeroAddress();
        if (_isUnfitReceiver(destination)) revert InvalidReceiver(destination);
        if (_destinations.contains(destination)) revert AlreadyListed(destination);
        if (_queuedDestinations.contains(destination)) emit DestinationCancelled(destination);
        uint256 executableAt = PublicDelay.start(PublicDelay.DELAY);
        _queuedDestinations.set(destination, executableAt);
        emit DestinationQueued(destination, executableAt);
    }

    /// @inheritdoc IBankExits
    function executeDestination(address destination) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _takeExecutable(_queuedDestinations, destination);
        _destinations.add(destination);
        emit DestinationListed(destination);
    }

    /// @inheritdoc IBankExits
    function cancelDestination(address destination) external onlyCanceller {
        if (!_queuedDestinations.remove(destination)) revert PublicDelay.NothingQueued();
        emit DestinationCancelled(destination);
    }

    /// @inheritdoc IBankExits
    function removeDestination(address destination) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (!_destinations.remove(destination)) revert NotListed(destination);
        emit DestinationRemoved(destination);
    }

    // Exits

    /// @inheritdoc IBankExits
    function announceExit(Exit calldata exit) external onlyRole(TREASURER_ROLE) whileOpen {
        _requireSound(exit);
        _requireListed(exit.to);
        ExitRecord storage record = _exits[exit.exitId];
        if (record.state != ExitState.None) revert ExitIdUsed(exit.exitId);
        uint48 executableAt = PublicDelay.start(PublicDelay.DELAY);
        (record.termsHash, record.executableAt, record.state) =
        (_hashOf(exit), executableAt, ExitState.Announced);
        _announcedExits++;
        emit ExitAnnounced(
            exit.exitId, exit.kind, exit.productId, exit.token, exit.to, exit.amount, executableAt
        );
    }

    /// @inheritdoc IBankExits
    function executeExit(Exit calldata exit) external nonReentrant whileOpen {
        ExitRecord storage record = _exits[exit.exitId];
        if (record.termsHash != _hashOf(exit)) revert ExitNotAnnounced(exit.exitId);
        _finish(record, exit.exitId, ExitState.Executed);
        PublicDelay.requireExecutable(record.executableAt);
        _requireListed(exit.to);
        Cover storage cover = _covers[exit.token];
        uint256 balance = _balanceOf(exit.token);
        exit.kind == TREASURY_PAYOUT ? cover.payOut(exit.amount, balance) : cover.invest(exit.amount, balance);
        emit ExitExecuted(exit.exitId, exit.kind, exit.productId, exit.token, exit.to, exit.amount);
        IERC20(exit.token).push(exit.to, exit.amount);
    }

    /// @inheritdoc IBankExits
    function cancelExit(uint256 exitId) external {
        if (!hasRole(TREASURER_ROLE, msg.sender)) _checkCanceller();
        _finish(_exits[exitId], exitId, ExitState.Cancelled);
        emit ExitCancelled(exitId);
    }

    // Publications

    /// @inheritdoc IBankExits
    function publishSolvency(uint32 day, bytes32 root, Heads calldata heads, AssetTotals[] calldata totals)
        external
        nonReentrant
        onlyRole(PUBLISHER_ROLE)
        whileOpen
    {
        if (root == bytes32(0)) revert EmptyRoot();
        if (day >= block.timestamp / 1 days) revert DayNotOver(day);
        if (day <= lastSolvencyDay) revert SolvencyAlreadyPublished(day);
        if (totals.length != 2 || totals[0].token != usdt || totals[1].token != amc) {
            revert UnexpectedTotals();
        }
        solvencyRoot[day] = root;
        lastSolvencyDay = day;
        uint256 publishedAt = _ageCountsFrom(day);
        for (uint256 i = 0; i < totals.length; i++) {
            address token = totals[i].token;
            _covers[token].publish(totals[i], _balanceOf(token), publishedAt);
        }
        emit SolvencyPublished(day, root, heads, totals);
    }

    // Views

    /// @inheritdoc IBankExits
    function destinations() external view returns (address[] memory) {
        return _destinations.values();
    }

    /// @notice The announced destinations with the earliest times of their listing.
    function queuedDestinations() external view returns (QueuedChange[] memory) {
        return _list(_queuedDestinations);
    }

    /// @inheritdoc IBankExits
    function exitOf(uint256 exitId)
        external
        view
        returns (ExitState state, uint256 executableAt, bytes32 termsHash)
    {
        ExitRecord storage record = _exits[exitId];
        return (record.state, record.executableAt, record.termsHash);
    }

    /// @inheritdoc IBankExits
    function coverOf(address token) external view returns (Cover memory) {
        return _covers[token];
    }

    /// @inheritdoc IBankExits
    function coveredExits(address token)
        external
        view
        onlySupported(token)
        returns (uint256 payout, uint256 investment)
    {
        return _covers[token].allowed(_balanceOf(token));
    }

    // Internals

    /// @dev Takes a claim from the holdings that cover the exits.
    function _noteClaim(address token, uint256 amount) internal {
        _covers[token].reduce(amount);
    }

    function _changesAreQueued() internal view virtual override returns (bool) {
        return _announcedExits != 0 || _queuedDestinations.length() != 0 || super._changesAreQueued();
    }

    /// @dev Ends an announced exit, once.
    function _finish(ExitRecord storage record, uint256 exitId, ExitState state) private {
        if (record.state != ExitState.Announced) revert ExitNotAnnounced(exitId);
        record.state = state;
        _announcedExits--;
    }

    function _requireListed(address destination) private view {
        if (!_destinations.contains(destination)) revert NotListed(destination);
    }

    function _requireSound(Exit calldata exit) private view {
        _requireSupported(exit.token);
        if (exit.amount == 0) revert ZeroAmount();
        bool isSound = exit.kind == TREASURY_PAYOUT
            ? exit.productId == 0
            : exit.kind == FUND_INVESTMENT && exit.productId != 0 && exit.token == usdt;
        if (!isSound) revert InvalidExit(exit.kind, exit.productId, exit.token);
    }

    /// @dev A publication's age counts from now. The figures of a day that ended longer ago than a publication may be old
    /// cover nothing, so its age counts from the end of the day.
    function _ageCountsFrom(uint32 day) private view returns (uint256) {
        uint256 endOfDay = (uint256(day) + 1) * 1 days;
        return block.timestamp > endOfDay + Coverage.MAX_AGE ? endOfDay : block.timestamp;
    }

    function _hashOf(Exit calldata exit) private pure returns (bytes32) {
        return keccak256(abi.encode(exit));
    }
}
