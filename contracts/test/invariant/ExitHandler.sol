// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {BankModel} from "./BankModel.sol";

/// @title Random exits, publications and hand-overs by a thief who holds every operator key
/// @dev Holdings are signed in the model: unlike the bank's, they have no floor.
abstract contract ExitHandler is BankModel {
    struct Publication {
        int256 held;
        int256 liabilities;
        int256 fundCash;
        int256 invested;
        uint256 publishedAt;
    }

    struct KnownExit {
        IBankExits.Exit exit;
        uint256 announcedAt;
        bool isOver;
        bool wasGuarded;
    }

    uint256 public constant EXIT_IDS = 12;
    uint256 private constant EXIT_STEP = 50_000;

    address private immutable _treasurer;
    address private immutable _publisher;
    address[2] private _vaults = [address(0x7A01), address(0x7A02)];
    RifBank public successor;

    mapping(address vault => uint256) private _listedAt;
    mapping(address vault => uint256) private _queuedAt;
    mapping(uint256 exitId => KnownExit) private _exits;
    mapping(address token => Publication) internal _publications;
    uint256 private _lastDay;
    uint256 private _handOverAt;
    uint256 public exitsExecuted;
    /// @dev The outflow by exits on a day.
    mapping(address token => mapping(uint256 day => uint256)) public exited;
    /// @dev The outflow by claims and exits together on a day, measured at the bank's balance.
    mapping(address token => mapping(uint256 day => uint256)) public left;

    constructor(address treasurer, address publisher) {
        _treasurer = treasurer;
        _publisher = publisher;
    }

    /// @dev Sets the successor once: random calls change nothing.
    function setSuccessor(RifBank next) external {
        if (address(successor) == address(0)) successor = next;
    }

    // Destinations

    function queueDestination(uint256 vaultSeed) public {
        address vault = _vault(vaultSeed);
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.queueDestination, (vault)));
        vm.assertEq(ok, _listedAt[vault] == 0, "queueDestination");
        if (ok) (_queuedAt[vault], _wasGuarded[vault]) = (block.timestamp + 2 days, _isGuarded);
    }

    function executeDestination(uint256 vaultSeed) public {
        address vault = _vault(vaultSeed);
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.executeDestination, (vault)));
        vm.assertEq(ok, _isExecutable(_queuedAt[vault]), "executeDestination");
        if (!ok) return;
        _noteGuarded(vault);
        (_listedAt[vault], _queuedAt[vault]) = (block.timestamp, 0);
    }

    function cancelDestination(uint256 vaultSeed) external {
        address vault = _vault(vaultSeed);
        bool ok = _attemptAs(_guardian, abi.encodeCall(bank.cancelDestination, (vault)));
        vm.assertEq(ok, _isGuarded && _queuedAt[vault] != 0, "cancelDestination");
        if (ok) _queuedAt[vault] = 0;
    }

    function removeDestination(uint256 vaultSeed) external {
        // Removals are rare, so that exits can be executed.
        if (vaultSeed % 8 > 1) return;
        address vault = _vault(vaultSeed);
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.removeDestination, (vault)));
        vm.assertEq(ok, _listedAt[vault] != 0, "removeDestination");
        _listedAt[vault] = 0;
    }

    // Exits

    function announceExit(uint256 id, uint256 kindSeed, uint256 tokenSeed, uint256 vaultSeed, uint256 amount)
        public
    {
        IBankExits.Exit memory exit = IBankExits.Exit({
            exitId: id % EXIT_IDS,
            kind: uint8(kindSeed % 2),
            productId: kindSeed % 2,
            token: kindSeed % 2 == 1 ? tokens[0] : _token(tokenSeed),
            to: _vault(vaultSeed),
            amount: EXIT_STEP * (1 + amount % 6)
        });
        KnownExit storage known = _exits[exit.exitId];
        bool ok = _attemptAs(_treasurer, abi.encodeCall(bank.announceExit, (exit)));
        vm.assertEq(ok, !isClosed && known.announcedAt == 0 && _listedAt[exit.to] != 0, "announceExit");
        if (ok) (known.exit, known.announcedAt, known.wasGuarded) = (exit, block.timestamp, _isGuarded);
    }

    /// @dev Sometimes with another amount than the announced one.
    function executeExit(uint256 id, uint256 twist) public {
        KnownExit storage known = _exits[id % EXIT_IDS];
        IBankExits.Exit memory exit = known.exit;
        exit.exitId = id % EXIT_IDS;
        if (twist % 8 == 0) exit.amount++;
        Publication storage publication = _publications[exit.token];
        bool expected = twist % 8 != 0 && !isClosed && known.announcedAt != 0 && !known.isOver
            && _isExecutable(known.announcedAt + 2 days) && _listedAt[exit.to] != 0
            && _isCovered(exit, publication);
        uint256 before = known.announcedAt == 0 ? 0 : IERC20(exit.token).balanceOf(address(bank));
        bool ok = _attempt(abi.encodeCall(bank.executeExit, (exit)));
        vm.assertEq(ok, expected, "executeExit");
        if (!ok) return;
        known.isOver = true;
        exitsExecuted++;
        vm.assertTrue(_isGuarded || !known.wasGuarded, "a guardian left while an exit waited");
        uint256 balance = IERC20(exit.token).balanceOf(address(bank));
        vm.assertEq(before - balance, exit.amount, "an exit takes its amount");
        _noteOutflow(exit.token, exit.amount);
        exited[exit.token][block.timestamp / 1 days] += exit.amount;
        if (exit.kind == 1) publication.invested += int256(exit.amount);
        vm.assertTrue(
            int256(balance) >= publication.liabilities + publication.fundCash - publication.invested,
            "an exit took published liabilities"
        );
    }

    function cancelExit(uint256 id) external {
        KnownExit storage known = _exits[id % EXIT_IDS];
        bool ok = _attemptAs(_guardian, abi.encodeCall(bank.cancelExit, (id % EXIT_IDS)));
        vm.assertEq(ok, _isGuarded && known.announcedAt != 0 && !known.isOver, "cancelExit");
        if (ok) known.isOver = true;
    }

    /// @dev Announces, waits, publishes and executes, because random calls rarely occur in this order.
    function exitInTime(uint256 id, uint256 kindSeed, uint256 tokenSeed, uint256 vaultSeed, uint256 amount)
        external
    {
        announceExit(id, kindSeed, tokenSeed, vaultSeed, amount);
        vm.warp(block.timestamp + 2 days + amount % 3 * 1 hours);
        _afterWait();
        publish(amount, amount >> 8, amount >> 16);
        executeExit(id, 1);
    }

    // Publications

    /// @dev Figures around the balance, true or not.
    function publish(uint256 owedSeed, uint256 fundSeed, uint256 daySeed) public {
        uint32 day = uint32(block.timestamp / 1 days - daySeed % 5 / 4 - 1);
        IBankExits.AssetTotals[] memory totals = new IBankExits.AssetTotals[](2);
        for (uint256 i = 0; i < 2; i++) {
            uint256 balance = IERC20(tokens[i]).balanceOf(address(bank));
            uint256 owed = _bound(owedSeed, 0, balance + EXIT_STEP);
            uint256 fundCash = _bound(fundSeed, 0, owed);
            totals[i] = IBankExits.AssetTotals(tokens[i], uint128(owed - fundCash), uint128(fundCash));
        }
        bool ok = _attemptAs(_publisher, abi.encodeCall(bank.publishSolvency, (day, "root", IBankExits.Heads(0, 0), totals)));
        vm.assertEq(ok, !isClosed && day > _lastDay, "publishSolvency");
        if (!ok) return;
        _lastDay = day;
        for (uint256 i = 0; i < 2; i++) {
            _publications[tokens[i]] = Publication({
                held: int256(IERC20(tokens[i]).balanceOf(address(bank))),
                liabilities: int256(uint256(totals[i].liabilities)),
                fundCash: int256(uint256(totals[i].fundCash)),
                invested: 0,
                publishedAt: block.timestamp
            });
        }
    }

    // Hand-over

    function queueHandOver(uint256 seed) public {
        // Hand-overs are rare, because nothing can happen afterwards.
        if (seed % 4 != 0) return;
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.queueHandOver, (address(successor))));
        vm.assertEq(ok, !isClosed, "queueHandOver");
        if (ok) (_handOverAt, _wasGuarded[address(bank)]) = (block.timestamp + 7 days, _isGuarded);
    }

    function cancelHandOver(uint256 seed) external {
        if (seed % 4 != 0) return;
        bool ok = _attemptAs(_guardian, abi.encodeCall(bank.cancelHandOver, ()));
        vm.assertEq(ok, _isGuarded && _handOverAt != 0, "cancelHandOver");
        if (ok) _handOverAt = 0;
    }

    function executeHandOver() public {
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.executeHandOver, ()));
        vm.assertEq(ok, _isExecutable(_handOverAt), "executeHandOver");
        if (!ok) return;
        _noteGuarded(address(bank));
        (isClosed, _handOverAt) = (true, 0);
        for (uint256 i = 0; i < 2; i++) {
            uint256 amount = moneyIn[tokens[i]] - moneyOut[tokens[i]];
            moneyOut[tokens[i]] += amount;
            vm.assertEq(IERC20(tokens[i]).balanceOf(address(successor)), amount, "handed over");
        }
    }

    // Views of the model

    /// @dev Whether a guardian could cancel something of this part.
    function _exitsAreQueued() internal view returns (bool) {
        for (uint256 i = 0; i < EXIT_IDS; i++) {
            if (_exits[i].announcedAt != 0 && !_exits[i].isOver) return true;
        }
        return _queuedAt[_vaults[0]] != 0 || _queuedAt[_vaults[1]] != 0 || _handOverAt != 0;
    }

    function exitState(uint256 id) external view returns (bool isAnnounced, bool isOver) {
        return (_exits[id].announcedAt != 0, _exits[id].isOver);
    }

    function heldOf(address token) external view returns (uint256) {
        int256 held = _publications[token].held;
        return held > 0 ? uint256(held) : 0;
    }

    function _noteOutflow(address token, uint256 amount) internal {
        moneyOut[token] += amount;
        left[token][block.timestamp / 1 days] += amount;
        if (_publications[token].publishedAt != 0) _publications[token].held -= int256(amount);
    }

    function _afterWait() internal virtual;

    function _isCovered(IBankExits.Exit memory exit, Publication storage publication)
        private
        view
        returns (bool)
    {
        uint256 publishedAt = publication.publishedAt;
        if (publishedAt == 0 || block.timestamp > publishedAt + 48 hours) return false;
        int256 amount = int256(exit.amount);
        int256 owed = publication.liabilities + publication.fundCash - publication.invested;
        if (exit.kind == 0) return publication.held - amount >= owed;
        return
            publication.invested + amount <= publication.fundCash
                && publication.held - amount >= owed - amount;
    }

    function _vault(uint256 seed) private view returns (address) {
        return _vaults[seed % _vaults.length];
    }
}
