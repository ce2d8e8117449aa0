// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RifBank} from "../../src/RifBank.sol";
import {RifTransfer} from "../../src/RifTransfer.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Records the gas of each call in snapshots/. Runs with --isolate, so that every call is a transaction with its own
/// 21,000 gas and cold storage. The first call of a kind writes new storage slots, the next one shows the usual cost.
contract GasTest is BankFixture {
    string private constant BANK = "RifBank";

    function testGasOfOrders() public {
        for (uint256 i = 1; i <= 2; i++) {
            IRifBank.Order memory order = _order(i);
            _fundAndApprove(order);
            _pay(order);
            vm.snapshotGasLastCall(BANK, i == 1 ? "payOrder (first)" : "payOrder (next)");
        }
        IRifBank.Order memory permitted = _order(3);
        (uint8 v, bytes32 r, bytes32 s) = _fundWithPermit(permitted);
        bytes memory signature = _signOrder(permitted);
        vm.prank(MEMBER);
        bank.payOrderWithPermit(permitted, signature, permitted.deadline, v, r, s);
        vm.snapshotGasLastCall(BANK, "payOrderWithPermit (next)");
    }

    /// @dev A bank with a predecessor asks it about its hand-over and its copies.
    function testGasOfOrdersAfterAHandOver() public {
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.predecessor = address(bank);
        RifBank next = new RifBank(config);
        vm.startPrank(ADMIN);
        bank.queueHandOver(address(next));
        vm.warp(block.timestamp + bank.HAND_OVER_DELAY());
        bank.executeHandOver();
        vm.stopPrank();
        bank = next;
        for (uint256 i = 1; i <= 2; i++) {
            IRifBank.Order memory order = _order(i);
            _fundAndApprove(order);
            _pay(order);
            if (i == 2) vm.snapshotGasLastCall(BANK, "payOrder after a hand-over (next)");
        }
    }

    /// @dev The order of a fund product is paid in USDT only.
    function testGasOfFundOrders() public {
        for (uint256 i = 1; i <= 2; i++) {
            IRifBank.Order memory order = _order(i);
            order.amcAmount = 0;
            order.package = 0;
            _fundAndApprove(order);
            _pay(order);
            if (i == 2) vm.snapshotGasLastCall(BANK, "payOrder in USDT (next)");
        }
    }

    function testGasOfClaims() public {
        _fill(USDT_CAP, AMC_CAP);
        for (uint256 i = 1; i <= 2; i++) {
            IRifBank.Claim memory voucher = _voucher(i, address(usdt), 1e6);
            bytes memory signature = _signClaim(voucher);
            bank.claim(voucher, signature);
            vm.snapshotGasLastCall(BANK, i == 1 ? "claim (first)" : "claim (next)");
        }
        IRifBank.Claim[] memory vouchers = new IRifBank.Claim[](5);
        bytes[] memory signatures = new bytes[](5);
        for (uint256 i = 0; i < 5; i++) {
            vouchers[i] = _voucher(10 + i, address(usdt), 1e6);
            signatures[i] = _signClaim(vouchers[i]);
        }
        bank.claimMany(vouchers, signatures);
        vm.snapshotGasLastCall(BANK, "claimMany of five");
    }

    function testGasOfDepositsAndSolvency() public {
        amc.approve(address(bank), 1e18);
        bank.depositRevenue("mining", address(amc), 1e18, keccak256("report"));
        vm.snapshotGasLastCall(BANK, "depositRevenue (first)");

        uint32 yesterday = uint32(block.timestamp / 1 days) - 1;
        IBankExits.AssetTotals[] memory totals = new IBankExits.AssetTotals[](2);
        totals[0] = IBankExits.AssetTotals(address(usdt), 100e6, 50e6);
        totals[1] = IBankExits.AssetTotals(address(amc), 100e18, 0);
        vm.startPrank(PUBLISHER);
        bank.publishSolvency(yesterday - 1, keccak256("root"), _heads(), totals);
        vm.snapshotGasLastCall(BANK, "publishSolvency (first)");
        bank.publishSolvency(yesterday, keccak256("root"), _heads(), totals);
        vm.snapshotGasLastCall(BANK, "publishSolvency (next)");
        vm.stopPrank();
    }

    function testGasOfExitsAndOfTheHandOver() public {
        _listVault();
        _fill(100e6, 100e18);
        IBankExits.Exit memory exit = _payout(1, address(usdt), 1e6);
        _announce(exit);
        vm.snapshotGasLastCall(BANK, "announceExit (first)");
        vm.warp(block.timestamp + 2 days);
        _publish(0, 0, 0);
        bank.executeExit(exit);
        vm.snapshotGasLastCall(BANK, "executeExit (first to a receiver)");

        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.predecessor = address(bank);
        RifBank next = new RifBank(config);
        vm.startPrank(ADMIN);
        bank.queueHandOver(address(next));
        vm.warp(block.timestamp + 7 days);
        bank.executeHandOver();
        vm.snapshotGasLastCall(BANK, "executeHandOver");
        vm.stopPrank();
    }

    function testGasOfTransfers() public {
        RifTransfer transfers = new RifTransfer();
        amc.approve(address(transfers), 1e18);
        transfers.transfer(address(amc), MEMBER, 1e18, "reference");
        vm.snapshotGasLastCall("RifTransfer", "transfer (first to a receiver)");
    }
}
