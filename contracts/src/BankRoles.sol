// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {AccessControlEnumerable} from "@openzeppelin/contracts/access/extensions/AccessControlEnumerable.sol";
import {EnumerableMap} from "@openzeppelin/contracts/utils/structs/EnumerableMap.sol";

import {IBankRoles} from "./interfaces/IBankRoles.sol";
import {PublicDelay} from "./libraries/PublicDelay.sol";

/// @title Roles of the bank, and the changes of roles that wait in public (see IBankRoles)
abstract contract BankRoles is IBankRoles, AccessControlDefaultAdminRules, AccessControlEnumerable {
    using EnumerableMap for EnumerableMap.AddressToUintMap;

    bytes32 public constant QUOTE_SIGNER_ROLE = keccak256("QUOTE_SIGNER_ROLE");
    bytes32 public constant CLAIM_SIGNER_ROLE = keccak256("CLAIM_SIGNER_ROLE");
    bytes32 public constant PUBLISHER_ROLE = keccak256("PUBLISHER_ROLE");
    bytes32 public constant PAUSER_ROLE = keccak256("PAUSER_ROLE");
    bytes32 public constant GUARDIAN_ROLE = keccak256("GUARDIAN_ROLE");
    bytes32 public constant TREASURER_ROLE = keccak256("TREASURER_ROLE");

    uint256 public constant CHANGE_DELAY = PublicDelay.DELAY;
    uint256 public constant CHANGE_WINDOW = PublicDelay.WINDOW;

    /// @inheritdoc IBankRoles
    mapping(address key => bool) public retired;

    EnumerableMap.AddressToUintMap private _queuedSigners;
    EnumerableMap.AddressToUintMap private _queuedRemovals;

    constructor(uint48 adminDelay, address admin) AccessControlDefaultAdminRules(adminDelay, admin) {
        _requireLongDelay(adminDelay);
    }

    modifier onlyCanceller() {
        _checkCanceller();
        _;
    }

    // Claim signers

    /// @inheritdoc IBankRoles
    function queueClaimSigner(address signer) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _requireEligible(CLAIM_SIGNER_ROLE, signer);
        if (_queuedSigners.contains(signer)) emit ClaimSignerCancelled(signer);
        uint256 executableAt = PublicDelay.start(PublicDelay.DELAY);
        _queuedSigners.set(signer, executableAt);
        emit ClaimSignerQueued(signer, executableAt);
    }

    /// @inheritdoc IBankRoles
    function executeClaimSigner(address signer) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _takeExecutable(_queuedSigners, signer);
        _grantRole(CLAIM_SIGNER_ROLE, signer);
    }

    /// @inheritdoc IBankRoles
    function cancelClaimSigner(address signer) external onlyCanceller {
        if (!_queuedSigners.remove(signer)) revert PublicDelay.NothingQueued();
        emit ClaimSignerCancelled(signer);
    }

    /// @inheritdoc IBankRoles
    function dismissClaimSigner(address signer) external onlyRole(PAUSER_ROLE) {
        if (!_revokeRole(CLAIM_SIGNER_ROLE, signer)) revert UnauthorizedSigner(signer, CLAIM_SIGNER_ROLE);
    }

    /// @inheritdoc IBankRoles
    function queuedClaimSigners() external view returns (QueuedChange[] memory) {
        return _list(_queuedSigners);
    }

    // Guardians

    /// @inheritdoc IBankRoles
    function queueGuardianRemoval(address guardian) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _checkRole(GUARDIAN_ROLE, guardian);
        if (_queuedRemovals.contains(guardian)) emit GuardianRemovalCancelled(guardian);
        uint256 executableAt = PublicDelay.start(PublicDelay.DELAY);
        _queuedRemovals.set(guardian, executableAt);
        emit GuardianRemovalQueued(guardian, executableAt);
    }

    /// @inheritdoc IBankRoles
    function executeGuardianRemoval(address guardian) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (_changesAreQueued()) revert ChangesAreQueued();
        _takeExecutable(_queuedRemovals, guardian);
        _revokeRole(GUARDIAN_ROLE, guardian);
    }

    /// @inheritdoc IBankRoles
    function cancelGuardianRemoval(address guardian) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (!_queuedRemovals.remove(guardian)) revert PublicDelay.NothingQueued();
        emit GuardianRemovalCancelled(guardian);
    }

    /// @inheritdoc IBankRoles
    function queuedGuardianRemovals() external view returns (QueuedChange[] memory) {
        return _list(_queuedRemovals);
    }

    // Rules of roles

    /// @inheritdoc IAccessControl
    function grantRole(bytes32 role, address account)
        public
        override(AccessControlDefaultAdminRules, AccessControl, IAccessControl)
    {
        if (role == CLAIM_SIGNER_ROLE) revert MustBeQueued(role);
        super.grantRole(role, account);
    }

    /// @inheritdoc IAccessControl
    function revokeRole(bytes32 role, address account)
        public
        override(AccessControlDefaultAdminRules, AccessControl, IAccessControl)
    {
        if (role == GUARDIAN_ROLE) revert MustBeQueued(role);
        super.revokeRole(role, account);
    }

    /// @inheritdoc IAccessControl
    /// @dev A guardian cannot renounce its role either, so that a thief of a guardian's key cannot end the true guardian's power.
    function renounceRole(bytes32 role, address account)
        public
        override(AccessControlDefaultAdminRules, AccessControl, IAccessControl)
    {
        if (role == GUARDIAN_ROLE) revert MustBeQueued(role);
        super.renounceRole(role, account);
    }

    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(AccessControlDefaultAdminRules, AccessControlEnumerable)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }

    function _grantRole(bytes32 role, address account)
        internal
        override(AccessControlDefaultAdminRules, AccessControlEnumerable)
        returns (bool)
    {
        _requireEligible(role, account);
        return super._grantRole(role, account);
    }

    function _revokeRole(bytes32 role, address account)
        internal
        override(AccessControlDefaultAdminRules, AccessControlEnumerable)
        returns (bool revoked)
    {
        revoked = super._revokeRole(role, account);
        if (revoked && _isSignerRole(role)) retired[account] = true;
    }

    function _setRoleAdmin(bytes32 role, bytes32 adminRole)
        internal
        override(AccessControlDefaultAdminRules, AccessControl)
    {
        super._setRoleAdmin(role, adminRole);
    }

    function _changeDefaultAdminDelay(uint48 newDelay) internal override {
        _requireLongDelay(newDelay);
        super._changeDefaultAdminDelay(newDelay);
    }

    /// @dev Reverts unless the sender is a guardian, a pauser or the default admin.
    function _checkCanceller() internal view {
        if (!hasRole(GUARDIAN_ROLE, msg.sender) && !hasRole(PAUSER_ROLE, msg.sender)) {
            _checkRole(DEFAULT_ADMIN_ROLE);
        }
    }

    /// @dev Reports whether anything is queued that a guardian can cancel, executable or not.
    function _changesAreQueued() internal view virtual returns (bool) {
        return _queuedSigners.length() != 0;
    }

    /// @dev Removes a queued change; reverts unless it can be executed now.
    function _takeExecutable(EnumerableMap.AddressToUintMap storage queue, address account) internal {
        (, uint256 executableAt) = queue.tryGet(account);
        PublicDelay.requireExecutable(executableAt);
        queue.remove(account);
    }

    function _list(EnumerableMap.AddressToUintMap storage queue)
        internal
        view
        returns (QueuedChange[] memory changes)
    {
        changes = new QueuedChange[](queue.length());
        for (uint256 i = 0; i < changes.length; i++) {
            (changes[i].account, changes[i].executableAt) = queue.pos(i);
        }
    }

    function _requireEligible(bytes32 role, address account) private view {
        if (account == address(0)) revert ZeroAddress();
        if (_isSignerRole(role) && retired[account]) revert KeyRetired(account);
        bytes32[7] memory roles = [
            DEFAULT_ADMIN_ROLE,
            QUOTE_SIGNER_ROLE,
            CLAIM_SIGNER_ROLE,
            PUBLISHER_ROLE,
            PAUSER_ROLE,
            GUARDIAN_ROLE,
            TREASURER_ROLE
        ];
        for (uint256 i = 0; i < roles.length; i++) {
            if (hasRole(roles[i], account)) revert AlreadyHasRole(account, roles[i]);
        }
    }

    function _requireLongDelay(uint48 delay) private pure {
        if (delay < PublicDelay.DELAY) revert AdminDelayTooShort(delay);
    }

    function _isSignerRole(bytes32 role) private pure returns (bool) {
        return role == QUOTE_SIGNER_ROLE || role == CLAIM_SIGNER_ROLE;
    }
}
