// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {DailyCap} from "../../src/libraries/DailyCap.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Permissions: creation, pauses, daily caps with their timelock, solvency reports, transfer of the admin role.
contract RifBankRolesTest is BankFixture {
    function testIsCreatedAsConfigured() public view {
        vm.assertEq(bank.usdt(), address(usdt));
        vm.assertEq(bank.amc(), address(amc));
        vm.assertEq(bank.defaultAdmin(), ADMIN);
        vm.assertEq(uint256(bank.defaultAdminDelay()), 3 days);
        vm.assertTrue(bank.hasRole(bank.QUOTE_SIGNER_ROLE(), vm.addr(QUOTE_KEY)));
        vm.assertTrue(bank.hasRole(bank.CLAIM_SIGNER_ROLE(), vm.addr(CLAIM_KEY)));
        vm.assertTrue(bank.hasRole(bank.PUBLISHER_ROLE(), PUBLISHER));
        vm.assertTrue(bank.hasRole(bank.PAUSER_ROLE(), PAUSER));
        vm.assertEq(bank.dailyCap(address(usdt)), USDT_CAP);
        vm.assertEq(bank.dailyCap(address(amc)), AMC_CAP);
        vm.assertEq(bank.dailyCap(STRANGER), 0);
    }

    function testEmitsTheInitialDailyCaps() public {
        vm.expectEmit();
        emit IRifBank.DailyCapChanged(address(usdt), 0, USDT_CAP);
        vm.expectEmit();
        emit IRifBank.DailyCapChanged(address(amc), 0, AMC_CAP);
        _deployBank(address(usdt), address(amc));
    }

    function testRefusesAnInvalidConfiguration() public {
        IRifBank.Config memory config = _config(STRANGER, address(amc));
        _expectNoBank(config, abi.encodeWithSelector(IRifBank.UnsupportedToken.selector, STRANGER));
        config = _config(address(usdt), STRANGER);
        _expectNoBank(config, abi.encodeWithSelector(IRifBank.UnsupportedToken.selector, STRANGER));
        config = _config(address(usdt), address(usdt));
        _expectNoBank(config, abi.encodeWithSelector(IRifBank.UnsupportedToken.selector, address(usdt)));

        config = _config(address(usdt), address(amc));
        config.pauser = address(0);
        _expectNoBank(config, abi.encodeWithSelector(IRifBank.ZeroAddress.selector));
        config = _config(address(usdt), address(amc));
        config.admin = address(0);
        _expectNoBank(
            config,
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, address(0)
            )
        );
        config = _config(address(usdt), address(amc));
        config.amcDailyCap = 1 << 112;
        _expectNoBank(
            config,
            abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 112, config.amcDailyCap)
        );
    }

    function testPausedOrdersLeaveClaimsAndDepositsOpen() public {
        vm.expectEmit(address(bank));
        emit IRifBank.OrdersPauseChanged(true, PAUSER);
        vm.prank(PAUSER);
        bank.pauseOrders();

        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        bytes memory signature = _signOrder(order);
        vm.expectRevert(IRifBank.OrdersArePaused.selector);
        vm.prank(MEMBER);
        bank.payOrder(order, signature);

        amc.approve(address(bank), 1e18);
        bank.depositRevenue("mining", address(amc), 1e18, bytes32(0));
        IRifBank.Claim memory voucher = _voucher(1, address(amc), 1e18);
        bank.claim(voucher, _signClaim(voucher));

        vm.expectEmit(address(bank));
        emit IRifBank.OrdersPauseChanged(false, ADMIN);
        vm.prank(ADMIN);
        bank.unpauseOrders();
        _pay(order);
    }

    function testADismissedClaimKeyIsRefusedAndAnotherKeyPaysItsClaims() public {
        _fill(2e6, 0);
        bytes32 role = bank.CLAIM_SIGNER_ROLE();
        address stolen = vm.addr(CLAIM_KEY);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _signClaim(voucher);
        vm.expectEmit(address(bank));
        emit IAccessControl.RoleRevoked(role, stolen, PAUSER);
        vm.prank(PAUSER);
        bank.dismissClaimSigner(stolen);

        bytes memory refusal = abi.encodeWithSelector(IRifBank.UnauthorizedSigner.selector, stolen, role);
        vm.expectRevert(refusal);
        bank.claim(voucher, signature);
        vm.expectRevert(refusal);
        vm.prank(PAUSER);
        bank.dismissClaimSigner(stolen);
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _pay(order);

        uint256 fresh = 0xf4e5;
        vm.prank(ADMIN);
        bank.grantRole(role, vm.addr(fresh));
        bank.claim(voucher, _sign(fresh, bank.hashClaim(voucher)));
    }

    function testEveryPrivilegedCallRefusesEveryOtherRole() public {
        bytes32 admin = bank.DEFAULT_ADMIN_ROLE();
        IRifBank.AssetTotals[] memory totals;
        bytes[8] memory calls = [
            abi.encodeCall(bank.pauseOrders, ()),
            abi.encodeCall(bank.dismissClaimSigner, (vm.addr(CLAIM_KEY))),
            abi.encodeCall(bank.publishSolvency, (1, bytes32(uint256(1)), totals)),
            abi.encodeCall(bank.unpauseOrders, ()),
            abi.encodeCall(bank.lowerDailyCap, (address(usdt), 1)),
            abi.encodeCall(bank.queueCapRaise, (address(usdt), USDT_CAP + 1)),
            abi.encodeCall(bank.executeCapRaise, (address(usdt))),
            abi.encodeCall(bank.grantRole, (bank.CLAIM_SIGNER_ROLE(), STRANGER))
        ];
        bytes32[8] memory needed = [
            bank.PAUSER_ROLE(), bank.PAUSER_ROLE(), bank.PUBLISHER_ROLE(), admin, admin, admin, admin, admin
        ];
        address[6] memory callers =
            [ADMIN, vm.addr(QUOTE_KEY), vm.addr(CLAIM_KEY), PUBLISHER, PAUSER, STRANGER];

        for (uint256 i = 0; i < calls.length; i++) {
            for (uint256 j = 0; j < callers.length; j++) {
                if (bank.hasRole(needed[i], callers[j])) continue;
                vm.prank(callers[j]);
                (bool ok, bytes memory reason) = address(bank).call(calls[i]);
                vm.assertFalse(ok);
                vm.assertEq(reason, _missing(callers[j], needed[i]));
            }
        }

        address[4] memory neitherPauserNorAdmin =
            [vm.addr(QUOTE_KEY), vm.addr(CLAIM_KEY), PUBLISHER, STRANGER];
        for (uint256 j = 0; j < neitherPauserNorAdmin.length; j++) {
            vm.expectRevert(_missing(neitherPauserNorAdmin[j], admin));
            vm.prank(neitherPauserNorAdmin[j]);
            bank.cancelCapRaise(address(usdt));
        }
    }

    function testTheCapIsLoweredAtOnce() public {
        _fill(USDT_CAP, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 100);
        bank.claim(voucher, _signClaim(voucher));

        vm.expectEmit(address(bank));
        emit IRifBank.DailyCapChanged(address(usdt), USDT_CAP, 60);
        vm.prank(ADMIN);
        bank.lowerDailyCap(address(usdt), 60);
        vm.assertEq(bank.remainingToday(address(usdt)), 0);
        vm.assertEq(bank.outflowToday(address(usdt)), 100);

        vm.warp(block.timestamp + 1 days);
        vm.assertEq(bank.remainingToday(address(usdt)), 60);
    }

    function testALowerCapMustBeLowerAndARaiseHigher() public {
        vm.startPrank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapNotLower.selector, USDT_CAP, USDT_CAP));
        bank.lowerDailyCap(address(usdt), USDT_CAP);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapNotHigher.selector, USDT_CAP, USDT_CAP));
        bank.queueCapRaise(address(usdt), USDT_CAP);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.UnsupportedToken.selector, STRANGER));
        bank.lowerDailyCap(STRANGER, 0);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.UnsupportedToken.selector, STRANGER));
        bank.queueCapRaise(STRANGER, 1);
        vm.stopPrank();
    }

    function testARaiseIsExecutableOnlyAfterItsDelay() public {
        uint256 executableAt = block.timestamp + 2 days;
        vm.expectEmit(address(bank));
        emit IRifBank.CapRaiseQueued(address(usdt), 2 * USDT_CAP, executableAt);
        vm.startPrank(ADMIN);
        bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
        (uint256 newCap, uint256 pendingAt) = bank.pendingCapRaise(address(usdt));
        vm.assertEq(newCap, 2 * USDT_CAP);
        vm.assertEq(pendingAt, executableAt);

        vm.warp(executableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapRaiseNotReady.selector, executableAt));
        bank.executeCapRaise(address(usdt));
        vm.assertEq(bank.dailyCap(address(usdt)), USDT_CAP);

        vm.warp(executableAt);
        vm.expectEmit(address(bank));
        emit IRifBank.DailyCapChanged(address(usdt), USDT_CAP, 2 * USDT_CAP);
        bank.executeCapRaise(address(usdt));
        vm.assertEq(bank.dailyCap(address(usdt)), 2 * USDT_CAP);
        vm.expectRevert(DailyCap.NoCapRaiseQueued.selector);
        bank.executeCapRaise(address(usdt));
        vm.stopPrank();
    }

    function testTheTimelockIsTwoDaysAndItsWindowSeven() public view {
        vm.assertEq(bank.CAP_RAISE_DELAY(), 2 days);
        vm.assertEq(bank.CAP_RAISE_WINDOW(), 7 days);
    }

    function testARaiseExpiresAndASecondOneRestartsTheTimelock() public {
        vm.startPrank(ADMIN);
        bank.queueCapRaise(address(amc), 2 * AMC_CAP);
        vm.warp(block.timestamp + 1 days);
        bank.queueCapRaise(address(amc), 3 * AMC_CAP);
        uint256 executableAt = block.timestamp + bank.CAP_RAISE_DELAY();
        vm.warp(block.timestamp + 1 days);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapRaiseNotReady.selector, executableAt));
        bank.executeCapRaise(address(amc));

        uint256 expiresAt = executableAt + bank.CAP_RAISE_WINDOW();
        vm.warp(expiresAt + 1);
        vm.expectRevert(abi.encodeWithSelector(DailyCap.CapRaiseExpired.selector, expiresAt));
        bank.executeCapRaise(address(amc));
        vm.warp(expiresAt);
        bank.executeCapRaise(address(amc));
        vm.assertEq(bank.dailyCap(address(amc)), 3 * AMC_CAP);
        vm.stopPrank();
    }

    function testARaiseIsCancelledByThePauserTheAdminOrALowering() public {
        address[2] memory cancellers = [PAUSER, ADMIN];
        for (uint256 i = 0; i < cancellers.length; i++) {
            vm.prank(ADMIN);
            bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
            vm.expectEmit(address(bank));
            emit IRifBank.CapRaiseCancelled(address(usdt));
            vm.prank(cancellers[i]);
            bank.cancelCapRaise(address(usdt));
            _expectNothingQueued();
        }
        vm.startPrank(ADMIN);
        bank.queueCapRaise(address(usdt), 2 * USDT_CAP);
        bank.lowerDailyCap(address(usdt), USDT_CAP - 1);
        vm.stopPrank();
        _expectNothingQueued();

        vm.expectRevert(DailyCap.NoCapRaiseQueued.selector);
        vm.prank(PAUSER);
        bank.cancelCapRaise(address(usdt));
    }

    function testARevokedSignerIsRefused() public {
        _fill(1e6, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _signClaim(voucher);
        bytes32 role = bank.CLAIM_SIGNER_ROLE();
        vm.prank(ADMIN);
        bank.revokeRole(role, vm.addr(CLAIM_KEY));

        vm.expectRevert(
            abi.encodeWithSelector(IRifBank.UnauthorizedSigner.selector, vm.addr(CLAIM_KEY), role)
        );
        bank.claim(voucher, signature);

        vm.prank(ADMIN);
        bank.grantRole(role, vm.addr(STRANGER_KEY));
        bank.claim(voucher, _sign(STRANGER_KEY, bank.hashClaim(voucher)));
    }

    function testTheAdminRoleIsTransferredOnlyAfterTheDelay() public {
        vm.prank(ADMIN);
        bank.beginDefaultAdminTransfer(STRANGER);
        uint256 schedule = block.timestamp + 3 days;
        vm.warp(schedule);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector, schedule
            )
        );
        vm.prank(STRANGER);
        bank.acceptDefaultAdminTransfer();

        vm.warp(schedule + 1);
        vm.prank(STRANGER);
        bank.acceptDefaultAdminTransfer();
        vm.assertEq(bank.defaultAdmin(), STRANGER);
    }

    function testSolvencyIsPublishedOnceForAPastDay() public {
        uint32 yesterday = uint32(block.timestamp / 1 days) - 1;
        bytes32 root = keccak256("root");
        IRifBank.AssetTotals[] memory totals = new IRifBank.AssetTotals[](2);
        totals[0] = IRifBank.AssetTotals("USDT", 1_000e6, 1_200e6, 50e6);
        totals[1] = IRifBank.AssetTotals("AMC", 3_000e6, 3_000e6, 0);

        vm.expectEmit(address(bank));
        emit IRifBank.SolvencyPublished(yesterday, root, totals);
        vm.startPrank(PUBLISHER);
        bank.publishSolvency(yesterday, root, totals);
        vm.assertEq(bank.solvencyRoot(yesterday), root);

        vm.expectRevert(abi.encodeWithSelector(IRifBank.SolvencyAlreadyPublished.selector, yesterday));
        bank.publishSolvency(yesterday, keccak256("another"), totals);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.DayNotOver.selector, yesterday + 1));
        bank.publishSolvency(yesterday + 1, root, totals);
        vm.expectRevert(IRifBank.EmptyRoot.selector);
        bank.publishSolvency(yesterday - 1, bytes32(0), totals);
        vm.stopPrank();
    }

    function _expectNoBank(IRifBank.Config memory config, bytes memory reason) private {
        vm.expectRevert(reason);
        new RifBank(config);
    }

    function _expectNothingQueued() private view {
        (uint256 newCap, uint256 executableAt) = bank.pendingCapRaise(address(usdt));
        vm.assertEq(newCap, 0);
        vm.assertEq(executableAt, 0);
    }

    function _missing(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
