// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {IApprove} from "../support/BankFixture.sol";
import {BankModel} from "./BankModel.sol";
import {ExitHandler} from "./ExitHandler.sol";

/// @title Random calls to the bank by members and by a thief who holds every operator key
/// @dev Keeps a model that is independent of the bank's code, and fails when the result of a call differs from
/// the model's prediction. Amounts, ids and keys come from small ranges, so that repeated terms, exceeded caps and retired
/// keys are common.
contract BankHandler is ExitHandler {
    uint256 public constant IDS = 8;
    uint256 private constant MAX_CAP = 1_000_000;
    uint256 private constant STEP = 100_000;

    uint256 private immutable _quoteKey;
    uint256[3] private _claimKeys;
    address private immutable _pauser;
    address[3] private _members = [address(0x1001), address(0x1002), address(0x1003)];

    bool public ordersPaused;
    mapping(address account => bool) private _isClaimSigner;
    mapping(address account => bool) private _isRetired;
    mapping(address account => uint256) private _signerAt;
    uint256 private _removalAt;
    mapping(address payer => mapping(uint256 orderId => uint256 times)) public timesPaid;
    uint256 public constant PACKAGES = 3;
    /// @dev The copies paid per package, to this bank and to its successor.
    mapping(uint256 package => uint256) public copies;
    uint256 private _ordersOfSuccessor;
    mapping(bytes32 terms => uint256 times) public timesClaimed;
    IRifBank.Claim[] private _claims;
    mapping(address token => uint256) public cap;
    mapping(address token => uint256) public initialCap;
    mapping(address token => uint256) public raiseTo;
    mapping(address token => uint256) public raiseAt;
    mapping(address token => mapping(uint256 day => uint256)) public outflow;
    /// @dev The highest cap that was in force at any time on that day.
    mapping(address token => mapping(uint256 day => uint256)) public ceiling;
    uint256 public immutable firstDay = block.timestamp / 1 days;

    constructor(RifBank bank_, uint256 quoteKey, uint256 claimKey, IRifBank.Config memory config)
        BankModel(bank_, config.admin, config.guardian)
        ExitHandler(config.treasurer, config.publisher)
    {
        _quoteKey = quoteKey;
        _claimKeys = [claimKey, claimKey + 1, claimKey + 2];
        _pauser = config.pauser;
        _isClaimSigner[vm.addr(claimKey)] = true;
        for (uint256 i = 0; i < tokens.length; i++) {
            cap[tokens[i]] = bank_.dailyCap(tokens[i]);
            initialCap[tokens[i]] = cap[tokens[i]];
            _noteCeilings();
        }
    }

    // Members

    function payOrder(uint256 id, uint256 memberSeed, uint256 usdtAmount, uint256 amcAmount) external {
        IRifBank.Order memory order = IRifBank.Order({
            orderId: id % IDS,
            payer: _members[memberSeed % _members.length],
            package: ((id >> 8) & 0xff) % PACKAGES,
            limit: ((id >> 16) & 0xff) % 6,
            usdtAmount: usdtAmount % 3 == 0 ? 0 : _bound(usdtAmount, 1, MAX_CAP),
            amcAmount: usdtAmount % 3 != 0 && amcAmount % 3 == 0 ? 0 : _bound(amcAmount, 1, MAX_CAP),
            deadline: block.timestamp
        });
        _fundAndApprove(order.payer, tokens[0], order.usdtAmount);
        _fundAndApprove(order.payer, tokens[1], order.amcAmount);
        bytes memory signature = _sign(_quoteKey, bank.hashOrder(order));

        bool expected = !isClosed && !ordersPaused && timesPaid[order.payer][order.orderId] == 0
            && (order.package == 0 || copies[order.package] < order.limit);
        vm.prank(order.payer);
        bool ok = _attempt(abi.encodeCall(bank.payOrder, (order, signature)));
        vm.assertEq(ok, expected, "payOrder");
        if (!ok) return;
        timesPaid[order.payer][order.orderId]++;
        if (order.package != 0) copies[order.package]++;
        moneyIn[tokens[0]] += order.usdtAmount;
        moneyIn[tokens[1]] += order.amcAmount;
    }

    /// @dev Pays an order to the successor, which counts on from this bank's copies once that one has handed over.
    function payOrderToSuccessor(uint256 seed, uint256 memberSeed) external {
        IRifBank.Order memory order = IRifBank.Order({
            orderId: ++_ordersOfSuccessor,
            payer: _members[memberSeed % _members.length],
            package: (seed & 0xff) % PACKAGES,
            limit: ((seed >> 8) & 0xff) % 8,
            usdtAmount: 1,
            amcAmount: 0,
            deadline: block.timestamp
        });
        _fund(order.payer, tokens[0], 1);
        vm.startPrank(order.payer);
        if (IERC20(tokens[0]).allowance(order.payer, address(successor)) == 0) {
            IApprove(tokens[0]).approve(address(successor), 1);
        }
        bytes memory signature = _sign(_quoteKey, successor.hashOrder(order));
        (bool ok,) = address(successor).call(abi.encodeCall(bank.payOrder, (order, signature)));
        vm.stopPrank();
        vm.assertEq(
            ok, isClosed && (order.package == 0 || copies[order.package] < order.limit), "payOrder of successor"
        );
        if (ok && order.package != 0) copies[order.package]++;
    }

    function depositRevenue(uint256 tokenSeed, uint256 amount) external {
        address token = _token(tokenSeed);
        amount = _bound(amount, 1, MAX_CAP);
        _fundAndApprove(address(this), token, amount);
        bool ok = _attemptAs(
            address(this), abi.encodeCall(bank.depositRevenue, ("mining", token, amount, bytes32(0)))
        );
        vm.assertEq(ok, !isClosed, "depositRevenue");
        if (ok) moneyIn[token] += amount;
    }

    /// @dev Transfers tokens to the bank without calling any of its functions.
    function donate(uint256 tokenSeed, uint256 amount) external {
        address token = _token(tokenSeed);
        amount = _bound(amount, 1, MAX_CAP);
        _fund(address(bank), token, amount);
        moneyIn[token] += amount;
    }

    // Thief with every operator key

    /// @dev Signs with one of the keys, whether it was appointed, dismissed or never announced.
    function claim(uint256 keySeed, uint256 id, uint256 tokenSeed, uint256 memberSeed, uint256 amount)
        external
    {
        uint256 key = _key(keySeed);
        IRifBank.Claim memory voucher = _drawVoucher(id, tokenSeed, memberSeed, amount);
        bool expected = _isPayable(key, voucher, 0);
        bool ok = _attempt(abi.encodeCall(bank.claim, (voucher, _sign(key, bank.hashClaim(voucher)))));
        vm.assertEq(ok, expected, "claim");
        if (ok) _notePaid(voucher);
    }

    /// @dev Sends two vouchers together, which may be the same.
    function claimMany(uint256 keySeed, uint256[2] calldata ids, uint256 tokenSeed, uint256 amount)
        external
    {
        uint256 key = _key(keySeed);
        IRifBank.Claim[] memory vouchers = new IRifBank.Claim[](2);
        bytes[] memory signatures = new bytes[](2);
        for (uint256 i = 0; i < 2; i++) {
            vouchers[i] = _drawVoucher(ids[i], tokenSeed >> i, ids[i] >> 8, amount);
            signatures[i] = _sign(key, bank.hashClaim(vouchers[i]));
        }
        uint256 before = vouchers[0].token == vouchers[1].token ? vouchers[0].amount : 0;
        bool expected = _isPayable(key, vouchers[0], 0) && _isPayable(key, vouchers[1], before)
            && termsOf(vouchers[0]) != termsOf(vouchers[1]);
        bool ok = _attempt(abi.encodeCall(bank.claimMany, (vouchers, signatures)));
        vm.assertEq(ok, expected, "claimMany");
        if (!ok) return;
        _notePaid(vouchers[0]);
        _notePaid(vouchers[1]);
    }

    function queueClaimSigner(uint256 keySeed) external {
        address signer = vm.addr(_key(keySeed));
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.queueClaimSigner, (signer)));
        vm.assertEq(ok, !_isClaimSigner[signer] && !_isRetired[signer], "queueClaimSigner");
        if (ok) (_signerAt[signer], _wasGuarded[signer]) = (block.timestamp + 2 days, _isGuarded);
    }

    function executeClaimSigner(uint256 keySeed) external {
        address signer = vm.addr(_key(keySeed));
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.executeClaimSigner, (signer)));
        vm.assertEq(ok, _isExecutable(_signerAt[signer]), "executeClaimSigner");
        if (!ok) return;
        _noteGuarded(signer);
        (_isClaimSigner[signer], _signerAt[signer]) = (true, 0);
    }

    function cancelClaimSigner(uint256 keySeed) external {
        address signer = vm.addr(_key(keySeed));
        bool ok = _attemptAs(_guardian, abi.encodeCall(bank.cancelClaimSigner, (signer)));
        vm.assertEq(ok, _isGuarded && _signerAt[signer] != 0, "cancelClaimSigner");
        if (ok) _signerAt[signer] = 0;
    }

    function dismissClaimSigner(uint256 keySeed) external {
        address signer = vm.addr(_key(keySeed));
        bool ok = _attemptAs(_pauser, abi.encodeCall(bank.dismissClaimSigner, (signer)));
        vm.assertEq(ok, _isClaimSigner[signer], "dismissClaimSigner");
        if (ok) (_isClaimSigner[signer], _isRetired[signer]) = (false, true);
    }

    function queueGuardianRemoval() external {
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.queueGuardianRemoval, (_guardian)));
        vm.assertEq(ok, _isGuarded, "queueGuardianRemoval");
        if (ok) _removalAt = block.timestamp + 2 days;
    }

    function executeGuardianRemoval() external {
        bool isBusy = _exitsAreQueued() || raiseAt[tokens[0]] != 0 || raiseAt[tokens[1]] != 0;
        for (uint256 i = 0; i < _claimKeys.length; i++) {
            if (_signerAt[vm.addr(_claimKeys[i])] != 0) isBusy = true;
        }
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.executeGuardianRemoval, (_guardian)));
        vm.assertEq(ok, !isBusy && _isExecutable(_removalAt), "executeGuardianRemoval");
        if (ok) (_isGuarded, _removalAt) = (false, 0);
    }

    function restoreGuardian() external {
        bytes32 role = bank.GUARDIAN_ROLE();
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.grantRole, (role, _guardian)));
        vm.assertEq(ok, !_isGuarded, "grantRole");
        _isGuarded = true;
    }

    function setOrdersPaused(bool paused) external {
        vm.prank(paused ? _pauser : _admin);
        paused ? bank.pauseOrders() : bank.unpauseOrders();
        ordersPaused = paused;
    }

    function lowerCap(uint256 tokenSeed, uint256 newCap) external {
        address token = _token(tokenSeed);
        newCap = _bound(newCap, MAX_CAP / 4, MAX_CAP);
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.lowerDailyCap, (token, newCap)));
        vm.assertEq(ok, newCap < cap[token], "lowerDailyCap");
        if (!ok) return;
        (cap[token], raiseTo[token], raiseAt[token]) = (newCap, 0, 0);
    }

    function queueRaise(uint256 tokenSeed, uint256 newCap) external {
        address token = _token(tokenSeed);
        newCap = _bound(newCap, MAX_CAP / 4, MAX_CAP);
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.queueCapRaise, (token, newCap)));
        bool isModest = newCap <= 2 * cap[token] || newCap <= initialCap[token];
        vm.assertEq(ok, newCap > cap[token] && isModest, "queueCapRaise");
        if (!ok) return;
        _wasGuarded[token] = _isGuarded;
        (raiseTo[token], raiseAt[token]) = (newCap, block.timestamp + 2 days);
    }

    function executeRaise(uint256 tokenSeed) external {
        address token = _token(tokenSeed);
        bool ok = _attemptAs(_admin, abi.encodeCall(bank.executeCapRaise, (token)));
        vm.assertEq(ok, _isExecutable(raiseAt[token]), "executeCapRaise");
        if (!ok) return;
        _noteGuarded(token);
        (cap[token], raiseTo[token], raiseAt[token]) = (raiseTo[token], 0, 0);
        _noteCeilings();
    }

    function cancelRaise(uint256 tokenSeed) external {
        address token = _token(tokenSeed);
        bool ok = _attemptAs(_pauser, abi.encodeCall(bank.cancelCapRaise, (token)));
        vm.assertEq(ok, raiseAt[token] != 0, "cancelCapRaise");
        (raiseTo[token], raiseAt[token]) = (0, 0);
    }

    function wait(uint256 secondsSeed) external {
        vm.warp(block.timestamp + _bound(secondsSeed, 1 hours, 30 hours));
        _noteCeilings();
    }

    // Views of the model

    function members() external view returns (address[3] memory) {
        return _members;
    }

    /// @dev The claims that the bank paid, in order.
    function claims() external view returns (IRifBank.Claim[] memory) {
        return _claims;
    }

    function termsOf(IRifBank.Claim memory voucher) public pure returns (bytes32) {
        return keccak256(abi.encode(voucher.withdrawalId, voucher.token, voucher.to, voucher.amount));
    }

    // Internals

    function _afterWait() internal override {
        _noteCeilings();
    }

    function _noteCeilings() private {
        uint256 day = block.timestamp / 1 days;
        for (uint256 i = 0; i < tokens.length; i++) {
            if (cap[tokens[i]] > ceiling[tokens[i]][day]) ceiling[tokens[i]][day] = cap[tokens[i]];
        }
    }

    function _key(uint256 seed) private view returns (uint256) {
        return _claimKeys[seed % _claimKeys.length];
    }

    function _drawVoucher(uint256 id, uint256 tokenSeed, uint256 memberSeed, uint256 amount)
        private
        view
        returns (IRifBank.Claim memory)
    {
        return IRifBank.Claim({
            withdrawalId: id % IDS,
            token: _token(tokenSeed),
            to: _members[memberSeed % _members.length],
            amount: STEP * (1 + amount % 3),
            deadline: block.timestamp + amount % 1000
        });
    }

    /// @param before The amount of this token that the same transaction pays before this voucher.
    function _isPayable(uint256 key, IRifBank.Claim memory voucher, uint256 before)
        private
        view
        returns (bool)
    {
        address token = voucher.token;
        uint256 amount = before + voucher.amount;
        return !isClosed && _isClaimSigner[vm.addr(key)] && timesClaimed[termsOf(voucher)] == 0
            && outflow[token][block.timestamp / 1 days] + amount <= cap[token]
            && moneyOut[token] + amount <= moneyIn[token];
    }

    function _notePaid(IRifBank.Claim memory voucher) private {
        address token = voucher.token;
        timesClaimed[termsOf(voucher)]++;
        _claims.push(voucher);
        _noteOutflow(token, voucher.amount);
        outflow[token][block.timestamp / 1 days] += voucher.amount;
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
