// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {AmcToken} from "../../src/AmcToken.sol";
import {RifBank} from "../../src/RifBank.sol";
import {TestUsdt} from "../../src/TestUsdt.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {IApprove} from "../support/BankFixture.sol";
import {TestBase} from "../support/Vm.sol";

/// @title Random calls to the bank by members and by a thief who holds every operator key
/// @dev Keeps a model that is independent of the bank's code, and fails when the result of a call differs from
/// the model's prediction. Amounts and ids come from small ranges, so that repeated ids and exceeded caps are common.
contract BankHandler is TestBase {
    uint256 public constant IDS = 24;
    uint256 private constant MAX_CAP = 1_000_000;

    RifBank public immutable bank;
    address[2] public tokens;

    uint256 private immutable _quoteKey;
    uint256 private immutable _claimKey;
    address private immutable _admin;
    address private immutable _pauser;
    address[3] private _members = [address(0x1001), address(0x1002), address(0x1003)];

    bool public ordersPaused;
    /// @dev The addresses that hold the claim signer role.
    mapping(address account => bool) private _isClaimSigner;
    mapping(uint256 orderId => uint256 times) public timesPaid;
    mapping(uint256 withdrawalId => uint256 times) public timesClaimed;
    mapping(address token => uint256) public moneyIn;
    mapping(address token => uint256) public moneyOut;
    mapping(address token => uint256) public cap;
    mapping(address token => uint256) public raiseTo;
    mapping(address token => uint256) public raiseAt;
    mapping(address token => mapping(uint256 day => uint256)) public outflow;
    /// @dev The highest cap that was in force at any time on that day.
    mapping(address token => mapping(uint256 day => uint256)) public ceiling;
    uint256 public immutable firstDay = block.timestamp / 1 days;

    constructor(RifBank bank_, uint256 quoteKey, uint256 claimKey, address admin, address pauser) {
        bank = bank_;
        tokens = [bank_.usdt(), bank_.amc()];
        _quoteKey = quoteKey;
        _claimKey = claimKey;
        _admin = admin;
        _pauser = pauser;
        _isClaimSigner[vm.addr(claimKey)] = true;
        for (uint256 i = 0; i < tokens.length; i++) {
            cap[tokens[i]] = bank_.dailyCap(tokens[i]);
            _noteCeilings();
        }
    }

    // Members

    function payOrder(uint256 id, uint256 memberSeed, uint256 usdtAmount, uint256 amcAmount) external {
        IRifBank.Order memory order = IRifBank.Order({
            orderId: id % IDS,
            payer: _members[memberSeed % _members.length],
            usdtAmount: _bound(usdtAmount, 1, MAX_CAP),
            amcAmount: _bound(amcAmount, 1, MAX_CAP),
            deadline: block.timestamp
        });
        _fundAndApprove(order.payer, tokens[0], order.usdtAmount);
        _fundAndApprove(order.payer, tokens[1], order.amcAmount);
        bytes memory signature = _sign(_quoteKey, bank.hashOrder(order));

        bool expected = !ordersPaused && timesPaid[order.orderId] == 0;
        vm.prank(order.payer);
        bool ok = _attempt(abi.encodeCall(bank.payOrder, (order, signature)));
        vm.assertEq(ok, expected, "payOrder");
        if (!ok) return;
        timesPaid[order.orderId]++;
        moneyIn[tokens[0]] += order.usdtAmount;
        moneyIn[tokens[1]] += order.amcAmount;
    }

    function depositRevenue(uint256 tokenSeed, uint256 amount) external {
        address token = _token(tokenSeed);
        amount = _bound(amount, 1, MAX_CAP);
        _fundAndApprove(address(this), token, amount);
        bank.depositRevenue("mining", token, amount, bytes32(0));
        moneyIn[token] += amount;
    }

    /// @dev Transfers tokens to the bank without calling any of its functions.
    function donate(uint256 tokenSeed, uint256 amount) external {
        address token = _token(tokenSeed);
        amount = _bound(amount, 1, MAX_CAP);
        _fund(address(bank), token, amount);
        moneyIn[token] += amount;
    }

    // Holder of the configured claim key, whether or not the key was dismissed

    function claim(uint256 id, uint256 tokenSeed, uint256 memberSeed, uint256 amount) external {
        _claimSignedBy(_claimKey, id % IDS, _token(tokenSeed), memberSeed, _bound(amount, 1, MAX_CAP));
    }

    // Thief with the keys of the admin and the pauser

    /// @dev Appoints a claim signer and claims with its key. The fuzzer may choose the configured claim key too,
    /// which restores its role after a dismissal.
    function claimAsNewSigner(uint256 keySeed, uint256 id, uint256 tokenSeed, uint256 amount) external {
        uint256 key = _bound(keySeed, 1, type(uint128).max);
        _appointClaimSigner(vm.addr(key));
        _claimSignedBy(key, id % IDS, _token(tokenSeed), 0, _bound(amount, 1, MAX_CAP));
    }

    function restoreClaimSigner() external {
        _appointClaimSigner(vm.addr(_claimKey));
    }

    function dismissClaimSigner() external {
        address signer = vm.addr(_claimKey);
        vm.prank(_pauser);
        bool ok = _attempt(abi.encodeCall(bank.dismissClaimSigner, (signer)));
        vm.assertEq(ok, _isClaimSigner[signer], "dismissClaimSigner");
        _isClaimSigner[signer] = false;
    }

    function setOrdersPaused(bool paused) external {
        vm.prank(paused ? _pauser : _admin);
        paused ? bank.pauseOrders() : bank.unpauseOrders();
        ordersPaused = paused;
    }

    function lowerCap(uint256 tokenSeed, uint256 newCap) external {
        address token = _token(tokenSeed);
        newCap = _bound(newCap, MAX_CAP / 4, MAX_CAP);
        vm.prank(_admin);
        bool ok = _attempt(abi.encodeCall(bank.lowerDailyCap, (token, newCap)));
        vm.assertEq(ok, newCap < cap[token], "lowerDailyCap");
        if (!ok) return;
        (cap[token], raiseTo[token], raiseAt[token]) = (newCap, 0, 0);
    }

    function queueRaise(uint256 tokenSeed, uint256 newCap) external {
        address token = _token(tokenSeed);
        newCap = _bound(newCap, MAX_CAP / 4, MAX_CAP);
        vm.prank(_admin);
        bool ok = _attempt(abi.encodeCall(bank.queueCapRaise, (token, newCap)));
        vm.assertEq(ok, newCap > cap[token], "queueCapRaise");
        if (!ok) return;
        (raiseTo[token], raiseAt[token]) = (newCap, block.timestamp + 2 days);
    }

    function executeRaise(uint256 tokenSeed) external {
        address token = _token(tokenSeed);
        uint256 readyAt = raiseAt[token];
        bool expected = readyAt != 0 && block.timestamp >= readyAt && block.timestamp <= readyAt + 7 days;
        vm.prank(_admin);
        bool ok = _attempt(abi.encodeCall(bank.executeCapRaise, (token)));
        vm.assertEq(ok, expected, "executeCapRaise");
        if (!ok) return;
        (cap[token], raiseTo[token], raiseAt[token]) = (raiseTo[token], 0, 0);
        _noteCeilings();
    }

    function cancelRaise(uint256 tokenSeed) external {
        address token = _token(tokenSeed);
        vm.prank(_pauser);
        bool ok = _attempt(abi.encodeCall(bank.cancelCapRaise, (token)));
        vm.assertEq(ok, raiseAt[token] != 0, "cancelCapRaise");
        (raiseTo[token], raiseAt[token]) = (0, 0);
    }

    function wait(uint256 secondsSeed) external {
        vm.warp(block.timestamp + _bound(secondsSeed, 1 hours, 30 hours));
        _noteCeilings();
    }

    // Internals

    function _appointClaimSigner(address signer) private {
        bytes32 role = bank.CLAIM_SIGNER_ROLE();
        vm.prank(_admin);
        bank.grantRole(role, signer);
        _isClaimSigner[signer] = true;
    }

    function _claimSignedBy(uint256 key, uint256 id, address token, uint256 memberSeed, uint256 amount)
        private
    {
        address to = _members[memberSeed % _members.length];
        IRifBank.Claim memory voucher = IRifBank.Claim(id, token, to, amount, block.timestamp);
        uint256 day = block.timestamp / 1 days;
        bool expected = _isClaimSigner[vm.addr(key)] && timesClaimed[id] == 0
            && outflow[token][day] + amount <= cap[token] && moneyOut[token] + amount <= moneyIn[token];

        bool ok = _attempt(abi.encodeCall(bank.claim, (voucher, _sign(key, bank.hashClaim(voucher)))));
        vm.assertEq(ok, expected, "claim");
        if (!ok) return;
        timesClaimed[id]++;
        moneyOut[token] += amount;
        outflow[token][day] += amount;
    }

    function _noteCeilings() private {
        uint256 day = block.timestamp / 1 days;
        for (uint256 i = 0; i < tokens.length; i++) {
            if (cap[tokens[i]] > ceiling[tokens[i]][day]) ceiling[tokens[i]][day] = cap[tokens[i]];
        }
    }

    function _attempt(bytes memory data) private returns (bool ok) {
        (ok,) = address(bank).call(data);
    }

    function _fund(address to, address token, uint256 amount) private {
        if (token == tokens[0]) TestUsdt(token).mint(to, amount);
        else AmcToken(token).transfer(to, amount);
    }

    function _fundAndApprove(address owner, address token, uint256 amount) private {
        _fund(owner, token, amount);
        vm.startPrank(owner);
        if (IERC20(token).allowance(owner, address(bank)) != 0) IApprove(token).approve(address(bank), 0);
        IApprove(token).approve(address(bank), amount);
        vm.stopPrank();
    }

    function _token(uint256 seed) private view returns (address) {
        return tokens[seed % tokens.length];
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
