// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {
    IAccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";

import {RifBank} from "../../src/RifBank.sol";
import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Permissions: creation, pauses, dismissal, transfer of the admin role.
contract RifBankRolesTest is BankFixture {
    function testIsCreatedAsConfigured() public view {
        vm.assertEq(bank.usdt(), address(usdt));
        vm.assertEq(bank.amc(), address(amc));
        vm.assertEq(bank.defaultAdmin(), ADMIN);
        vm.assertEq(uint256(bank.defaultAdminDelay()), 3 days);
        _expectOnlyHolder(bank.DEFAULT_ADMIN_ROLE(), ADMIN);
        _expectOnlyHolder(bank.QUOTE_SIGNER_ROLE(), vm.addr(QUOTE_KEY));
        _expectOnlyHolder(bank.CLAIM_SIGNER_ROLE(), vm.addr(CLAIM_KEY));
        _expectOnlyHolder(bank.PUBLISHER_ROLE(), PUBLISHER);
        _expectOnlyHolder(bank.PAUSER_ROLE(), PAUSER);
        _expectOnlyHolder(bank.GUARDIAN_ROLE(), GUARDIAN);
        _expectOnlyHolder(bank.TREASURER_ROLE(), TREASURER);
        vm.assertEq(bank.predecessor(), address(0));
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
        _expectNoBank(config, abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        config = _config(address(usdt), STRANGER);
        _expectNoBank(config, abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        config = _config(address(usdt), address(usdt));
        _expectNoBank(config, abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, address(usdt)));

        bytes memory zero = abi.encodeWithSelector(IBankRoles.ZeroAddress.selector);
        config = _config(address(usdt), address(amc));
        config.quoteSigner = address(0);
        _expectNoBank(config, zero);
        config = _config(address(usdt), address(amc));
        config.claimSigner = address(0);
        _expectNoBank(config, zero);
        config = _config(address(usdt), address(amc));
        config.pauser = address(0);
        _expectNoBank(config, zero);
        config = _config(address(usdt), address(amc));
        config.guardian = address(0);
        _expectNoBank(config, zero);
        config = _config(address(usdt), address(amc));
        config.admin = address(0);
        _expectNoBank(
            config,
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector, address(0)
            )
        );
        config = _config(address(usdt), address(amc));
        config.adminDelay = 2 days - 1;
        _expectNoBank(config, abi.encodeWithSelector(IBankRoles.AdminDelayTooShort.selector, 2 days - 1));
    }

    function testRefusesACapThatLimitsNothing() public {
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.usdtDailyCap = 0;
        _expectNoBank(config, abi.encodeWithSelector(IBankHandOver.ZeroAmount.selector));
        config = _config(address(usdt), address(amc));
        config.amcDailyCap = MINTED;
        _expectNoBank(config, abi.encodeWithSelector(IRifBank.UnlimitedCap.selector, MINTED, MINTED));
        config.amcDailyCap = type(uint256).max;
        _expectNoBank(
            config, abi.encodeWithSelector(IRifBank.UnlimitedCap.selector, type(uint256).max, MINTED)
        );
    }

    function testNoKeyIsCreatedWithTwoRoles() public {
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.claimSigner = config.quoteSigner;
        _expectNoBank(config, _holds(config.quoteSigner, bank.QUOTE_SIGNER_ROLE()));
        config = _config(address(usdt), address(amc));
        config.pauser = ADMIN;
        _expectNoBank(config, _holds(ADMIN, bank.DEFAULT_ADMIN_ROLE()));
        config = _config(address(usdt), address(amc));
        config.guardian = PAUSER;
        _expectNoBank(config, _holds(PAUSER, bank.PAUSER_ROLE()));
        config = _config(address(usdt), address(amc));
        config.publisher = GUARDIAN;
        _expectNoBank(config, _holds(GUARDIAN, bank.GUARDIAN_ROLE()));
        config = _config(address(usdt), address(amc));
        config.guardian = vm.addr(CLAIM_KEY);
        _expectNoBank(config, _holds(config.guardian, bank.CLAIM_SIGNER_ROLE()));
        config = _config(address(usdt), address(amc));
        config.treasurer = PUBLISHER;
        _expectNoBank(config, _holds(PUBLISHER, bank.PUBLISHER_ROLE()));
    }

    function testNoKeyIsGrantedASecondRole() public {
        bytes32[6] memory roles = [
            bank.QUOTE_SIGNER_ROLE(),
            bank.CLAIM_SIGNER_ROLE(),
            bank.PUBLISHER_ROLE(),
            bank.PAUSER_ROLE(),
            bank.GUARDIAN_ROLE(),
            bank.TREASURER_ROLE()
        ];
        address[6] memory holders =
            [vm.addr(QUOTE_KEY), vm.addr(CLAIM_KEY), PUBLISHER, PAUSER, GUARDIAN, TREASURER];
        vm.startPrank(ADMIN);
        for (uint256 i = 0; i < roles.length; i++) {
            for (uint256 j = 0; j < holders.length; j++) {
                vm.expectRevert(_holds(holders[j], roles[j]));
                if (i == 1) bank.queueClaimSigner(holders[j]);
                else bank.grantRole(roles[i], holders[j]);
            }
        }
        bank.beginDefaultAdminTransfer(PAUSER);
        vm.stopPrank();
        vm.warp(block.timestamp + 3 days + 1);
        vm.expectRevert(_holds(PAUSER, bank.PAUSER_ROLE()));
        vm.prank(PAUSER);
        bank.acceptDefaultAdminTransfer();
    }

    function testPublisherAndTreasurerMayBeAbsent() public {
        IRifBank.Config memory config = _config(address(usdt), address(amc));
        config.publisher = address(0);
        config.treasurer = address(0);
        bank = new RifBank(config);
        vm.assertEq(bank.getRoleMemberCount(bank.PUBLISHER_ROLE()), 0);
        vm.assertEq(bank.getRoleMemberCount(bank.TREASURER_ROLE()), 0);
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

    function testTheGuardianPausesOrdersAndCannotResume() public {
        vm.expectEmit(address(bank));
        emit IRifBank.OrdersPauseChanged(true, GUARDIAN);
        vm.startPrank(GUARDIAN);
        bank.pauseOrders();
        vm.expectRevert(_missing(GUARDIAN, bank.DEFAULT_ADMIN_ROLE()));
        bank.unpauseOrders();
        vm.stopPrank();
        vm.assertTrue(bank.ordersPaused());
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

        bytes memory refusal = abi.encodeWithSelector(IBankRoles.UnauthorizedSigner.selector, stolen, role);
        vm.expectRevert(refusal);
        bank.claim(voucher, signature);
        vm.expectRevert(refusal);
        vm.prank(PAUSER);
        bank.dismissClaimSigner(stolen);
        IRifBank.Order memory order = _order(1);
        _fundAndApprove(order);
        _pay(order);

        uint256 fresh = 0xf4e5;
        _appointClaimSigner(vm.addr(fresh));
        voucher.deadline = block.timestamp;
        bank.claim(voucher, _sign(fresh, bank.hashClaim(voucher)));
    }

    function testEveryPrivilegedCallRefusesEveryOtherRole() public {
        bytes32 admin = bank.DEFAULT_ADMIN_ROLE();
        IBankExits.AssetTotals[] memory totals;
        IBankExits.Exit memory exit;
        bytes[18] memory calls = [
            abi.encodeCall(bank.pauseOrders, ()),
            abi.encodeCall(bank.dismissClaimSigner, (vm.addr(CLAIM_KEY))),
            abi.encodeCall(bank.publishSolvency, (1, bytes32(uint256(1)), _heads(), totals)),
            abi.encodeCall(bank.unpauseOrders, ()),
            abi.encodeCall(bank.lowerDailyCap, (address(usdt), 1)),
            abi.encodeCall(bank.queueCapRaise, (address(usdt), USDT_CAP + 1)),
            abi.encodeCall(bank.executeCapRaise, (address(usdt))),
            abi.encodeCall(bank.grantRole, (bank.PAUSER_ROLE(), STRANGER)),
            abi.encodeCall(bank.queueClaimSigner, (STRANGER)),
            abi.encodeCall(bank.executeClaimSigner, (STRANGER)),
            abi.encodeCall(bank.queueGuardianRemoval, (GUARDIAN)),
            abi.encodeCall(bank.executeGuardianRemoval, (GUARDIAN)),
            abi.encodeCall(bank.queueDestination, (STRANGER)),
            abi.encodeCall(bank.executeDestination, (STRANGER)),
            abi.encodeCall(bank.removeDestination, (STRANGER)),
            abi.encodeCall(bank.queueHandOver, (STRANGER)),
            abi.encodeCall(bank.executeHandOver, ()),
            abi.encodeCall(bank.announceExit, (exit))
        ];
        bytes32[18] memory needed = [
            bank.PAUSER_ROLE(),
            bank.PAUSER_ROLE(),
            bank.PUBLISHER_ROLE(),
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            admin,
            bank.TREASURER_ROLE()
        ];
        address[8] memory callers =
            [ADMIN, vm.addr(QUOTE_KEY), vm.addr(CLAIM_KEY), PUBLISHER, PAUSER, GUARDIAN, TREASURER, STRANGER];

        for (uint256 i = 0; i < calls.length; i++) {
            for (uint256 j = 0; j < callers.length; j++) {
                if (bank.hasRole(needed[i], callers[j])) continue;
                // A guardian may pause orders too.
                if (i == 0 && callers[j] == GUARDIAN) continue;
                vm.prank(callers[j]);
                (bool ok, bytes memory reason) = address(bank).call(calls[i]);
                vm.assertFalse(ok);
                vm.assertEq(reason, _missing(callers[j], needed[i]));
            }
        }

        address[4] memory others = [vm.addr(QUOTE_KEY), vm.addr(CLAIM_KEY), PUBLISHER, STRANGER];
        for (uint256 j = 0; j < others.length; j++) {
            vm.startPrank(others[j]);
            vm.expectRevert(_missing(others[j], admin));
            bank.cancelCapRaise(address(usdt));
            vm.expectRevert(_missing(others[j], admin));
            bank.cancelClaimSigner(STRANGER);
            vm.expectRevert(_missing(others[j], admin));
            bank.cancelDestination(STRANGER);
            vm.expectRevert(_missing(others[j], admin));
            bank.cancelHandOver();
            vm.expectRevert(_missing(others[j], admin));
            bank.cancelExit(1);
            vm.stopPrank();
        }
        address[2] memory cancellers = [PAUSER, GUARDIAN];
        for (uint256 j = 0; j < cancellers.length; j++) {
            vm.expectRevert(_missing(cancellers[j], admin));
            vm.prank(cancellers[j]);
            bank.cancelGuardianRemoval(GUARDIAN);
        }
    }

    function testARevokedSignerIsRefused() public {
        _fill(1e6, 0);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        bytes memory signature = _signClaim(voucher);
        bytes32 role = bank.CLAIM_SIGNER_ROLE();
        vm.prank(ADMIN);
        bank.revokeRole(role, vm.addr(CLAIM_KEY));

        vm.expectRevert(
            abi.encodeWithSelector(IBankRoles.UnauthorizedSigner.selector, vm.addr(CLAIM_KEY), role)
        );
        bank.claim(voucher, signature);

        _appointClaimSigner(vm.addr(STRANGER_KEY));
        voucher.deadline = block.timestamp;
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

    function testTheAdminDelayCannotBeShortenedBelowTwoDays() public {
        vm.startPrank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(IBankRoles.AdminDelayTooShort.selector, 2 days - 1));
        bank.changeDefaultAdminDelay(2 days - 1);
        bank.changeDefaultAdminDelay(2 days);
        (uint48 newDelay,) = bank.pendingDefaultAdminDelay();
        vm.assertEq(uint256(newDelay), 2 days);
        vm.stopPrank();
    }

    function _expectNoBank(IRifBank.Config memory config, bytes memory reason) private {
        vm.expectRevert(reason);
        new RifBank(config);
    }

    function _expectOnlyHolder(bytes32 role, address holder) private view {
        address[] memory holders = bank.getRoleMembers(role);
        vm.assertEq(holders.length, 1);
        vm.assertEq(holders[0], holder);
    }

    function _holds(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IBankRoles.AlreadyHasRole.selector, account, role);
    }

    function _missing(address account, bytes32 role) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, account, role);
    }
}
