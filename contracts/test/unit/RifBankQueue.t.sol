// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";

import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {PublicDelay} from "../../src/libraries/PublicDelay.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Appointments of claim signers and removals of guardians, which wait in public; retired keys.
contract RifBankQueueTest is BankFixture {
    address private constant NEXT = address(0x4E);

    function testAClaimSignerIsAppointedOnlyAfterTwoDaysInPublic() public {
        bytes32 role = bank.CLAIM_SIGNER_ROLE();
        uint256 executableAt = block.timestamp + 2 days;
        vm.startPrank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(IBankRoles.MustBeQueued.selector, role));
        bank.grantRole(role, NEXT);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        bank.executeClaimSigner(NEXT);

        vm.expectEmit(address(bank));
        emit IBankRoles.ClaimSignerQueued(NEXT, executableAt);
        bank.queueClaimSigner(NEXT);
        _expectQueued(bank.queuedClaimSigners(), NEXT, executableAt);
        vm.warp(executableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeClaimSigner(NEXT);
        vm.assertFalse(bank.hasRole(role, NEXT));

        vm.warp(executableAt);
        vm.expectEmit(address(bank));
        emit IAccessControl.RoleGranted(role, NEXT, ADMIN);
        bank.executeClaimSigner(NEXT);
        vm.assertTrue(bank.hasRole(role, NEXT));
        vm.assertEq(bank.queuedClaimSigners().length, 0);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        bank.executeClaimSigner(NEXT);
        vm.stopPrank();
    }

    function testAnAppointmentExpiresAndASecondAnnouncementRestartsTheWait() public {
        vm.startPrank(ADMIN);
        bank.queueClaimSigner(NEXT);
        vm.warp(block.timestamp + 1 days);
        vm.expectEmit(address(bank));
        emit IBankRoles.ClaimSignerCancelled(NEXT);
        bank.queueClaimSigner(NEXT);
        uint256 executableAt = block.timestamp + bank.CHANGE_DELAY();
        _expectQueued(bank.queuedClaimSigners(), NEXT, executableAt);
        vm.warp(block.timestamp + 1 days);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeClaimSigner(NEXT);

        uint256 expiresAt = executableAt + bank.CHANGE_WINDOW();
        vm.warp(expiresAt + 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.ExecutionExpired.selector, expiresAt));
        bank.executeClaimSigner(NEXT);
        vm.warp(expiresAt);
        bank.executeClaimSigner(NEXT);
        vm.stopPrank();
    }

    function testAnAppointmentIsCancelledByTheGuardianThePauserOrTheAdmin() public {
        address[3] memory cancellers = [GUARDIAN, PAUSER, ADMIN];
        for (uint256 i = 0; i < cancellers.length; i++) {
            vm.prank(ADMIN);
            bank.queueClaimSigner(NEXT);
            vm.expectEmit(address(bank));
            emit IBankRoles.ClaimSignerCancelled(NEXT);
            vm.startPrank(cancellers[i]);
            bank.cancelClaimSigner(NEXT);
            vm.expectRevert(PublicDelay.NothingQueued.selector);
            bank.cancelClaimSigner(NEXT);
            vm.stopPrank();
        }
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        vm.prank(ADMIN);
        bank.executeClaimSigner(NEXT);
    }

    function testADismissedKeyIsNeverAppointedAgain() public {
        _fill(1e6, 0);
        address stolen = vm.addr(CLAIM_KEY);
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1e6);
        voucher.deadline = type(uint256).max;
        bytes memory signature = _signClaim(voucher);
        vm.prank(PAUSER);
        bank.dismissClaimSigner(stolen);
        vm.assertTrue(bank.retired(stolen));

        bytes memory refusal = abi.encodeWithSelector(IBankRoles.KeyRetired.selector, stolen);
        bytes32 quoteRole = bank.QUOTE_SIGNER_ROLE();
        vm.startPrank(ADMIN);
        vm.expectRevert(refusal);
        bank.queueClaimSigner(stolen);
        vm.expectRevert(refusal);
        bank.grantRole(quoteRole, stolen);
        vm.stopPrank();
        vm.expectPartialRevert(IBankRoles.UnauthorizedSigner.selector);
        bank.claim(voucher, signature);
    }

    /// @dev However the role was lost: by revocation, or because its holder renounced it while a new appointment waited.
    function testEverySignerThatLostItsRoleIsRetired() public {
        address quote = vm.addr(QUOTE_KEY);
        address claim = vm.addr(CLAIM_KEY);
        bytes32 quoteRole = bank.QUOTE_SIGNER_ROLE();
        bytes32 claimRole = bank.CLAIM_SIGNER_ROLE();
        vm.prank(quote);
        bank.renounceRole(quoteRole, quote);
        vm.startPrank(ADMIN);
        bank.revokeRole(claimRole, claim);
        vm.assertTrue(bank.retired(quote));
        vm.assertTrue(bank.retired(claim));
        vm.expectRevert(abi.encodeWithSelector(IBankRoles.KeyRetired.selector, quote));
        bank.grantRole(quoteRole, quote);
        vm.expectRevert(abi.encodeWithSelector(IBankRoles.KeyRetired.selector, claim));
        bank.queueClaimSigner(claim);

        bank.queueClaimSigner(NEXT);
        bank.grantRole(quoteRole, NEXT);
        bank.revokeRole(quoteRole, NEXT);
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(abi.encodeWithSelector(IBankRoles.KeyRetired.selector, NEXT));
        bank.executeClaimSigner(NEXT);
        vm.stopPrank();
    }

    /// @dev A key that held another role, or none, can be appointed; a retired one can still hold another role.
    function testOnlyASignerThatLostItsRoleIsRetiredAndOnlyFromSigning() public {
        bytes32 claimRole = bank.CLAIM_SIGNER_ROLE();
        bytes32 pauserRole = bank.PAUSER_ROLE();
        address claim = vm.addr(CLAIM_KEY);
        vm.startPrank(ADMIN);
        bank.revokeRole(claimRole, NEXT);
        vm.assertFalse(bank.retired(NEXT));
        bank.revokeRole(pauserRole, PAUSER);
        vm.assertFalse(bank.retired(PAUSER));
        bank.queueClaimSigner(PAUSER);
        bank.revokeRole(claimRole, claim);
        bank.grantRole(pauserRole, claim);
        vm.stopPrank();
        vm.assertTrue(bank.hasRole(pauserRole, claim));
    }

    function testTheGuardianCannotBeRemovedFasterThanARaiseTakesEffect() public {
        bytes32 role = bank.GUARDIAN_ROLE();
        bytes memory queueFirst = abi.encodeWithSelector(IBankRoles.MustBeQueued.selector, role);
        uint256 executableAt = block.timestamp + 2 days;
        vm.startPrank(ADMIN);
        vm.expectRevert(queueFirst);
        bank.revokeRole(role, GUARDIAN);
        vm.expectEmit(address(bank));
        emit IBankRoles.GuardianRemovalQueued(GUARDIAN, executableAt);
        bank.queueGuardianRemoval(GUARDIAN);
        _expectQueued(bank.queuedGuardianRemovals(), GUARDIAN, executableAt);
        vm.warp(executableAt - 1);
        vm.expectRevert(abi.encodeWithSelector(PublicDelay.NotExecutableYet.selector, executableAt));
        bank.executeGuardianRemoval(GUARDIAN);
        vm.stopPrank();

        vm.expectRevert(queueFirst);
        vm.prank(GUARDIAN);
        bank.renounceRole(role, GUARDIAN);

        vm.warp(executableAt);
        vm.prank(ADMIN);
        bank.executeGuardianRemoval(GUARDIAN);
        vm.assertFalse(bank.hasRole(role, GUARDIAN));
    }

    /// @dev The guardian can still cancel a raise or an appointment announced just before the removal.
    function testTheGuardianStaysWhileAnythingWaitsThatItCouldCancel() public {
        vm.startPrank(ADMIN);
        bank.queueGuardianRemoval(GUARDIAN);
        vm.warp(block.timestamp + 2 days);
        bytes memory reason = abi.encodeWithSelector(IBankRoles.ChangesAreQueued.selector);
        address[2] memory tokens = [address(usdt), address(amc)];
        for (uint256 i = 0; i < tokens.length; i++) {
            bank.queueCapRaise(tokens[i], bank.dailyCap(tokens[i]) + 1);
            vm.expectRevert(reason);
            bank.executeGuardianRemoval(GUARDIAN);
            bank.cancelCapRaise(tokens[i]);
        }
        bank.queueClaimSigner(NEXT);
        vm.expectRevert(reason);
        bank.executeGuardianRemoval(GUARDIAN);
        vm.stopPrank();
        vm.prank(GUARDIAN);
        bank.cancelClaimSigner(NEXT);
        vm.prank(ADMIN);
        bank.executeGuardianRemoval(GUARDIAN);
    }

    function testARemovalIsCancelledByTheAdminAndQueuedAnew() public {
        vm.startPrank(ADMIN);
        vm.expectRevert(
            abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector, NEXT, bank.GUARDIAN_ROLE()
            )
        );
        bank.queueGuardianRemoval(NEXT);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        bank.cancelGuardianRemoval(GUARDIAN);

        bank.queueGuardianRemoval(GUARDIAN);
        vm.expectEmit(address(bank));
        emit IBankRoles.GuardianRemovalCancelled(GUARDIAN);
        bank.cancelGuardianRemoval(GUARDIAN);
        vm.warp(block.timestamp + 2 days);
        vm.expectRevert(PublicDelay.NothingQueued.selector);
        bank.executeGuardianRemoval(GUARDIAN);

        bank.queueGuardianRemoval(GUARDIAN);
        vm.expectEmit(address(bank));
        emit IBankRoles.GuardianRemovalCancelled(GUARDIAN);
        bank.queueGuardianRemoval(GUARDIAN);
        vm.stopPrank();
        _expectQueued(bank.queuedGuardianRemovals(), GUARDIAN, block.timestamp + 2 days);
    }

    function testASecondGuardianIsAppointedAtOnceAndCanStopThings() public {
        bytes32 role = bank.GUARDIAN_ROLE();
        vm.startPrank(ADMIN);
        bank.grantRole(role, NEXT);
        bank.queueCapRaise(address(usdt), USDT_CAP + 1);
        vm.stopPrank();
        vm.prank(NEXT);
        bank.cancelCapRaise(address(usdt));
        vm.assertEq(bank.getRoleMemberCount(role), 2);
    }

    function _expectQueued(IBankRoles.QueuedChange[] memory queue, address account, uint256 executableAt)
        private
        pure
    {
        vm.assertEq(queue.length, 1);
        vm.assertEq(queue[0].account, account);
        vm.assertEq(queue[0].executableAt, executableAt);
    }
}
