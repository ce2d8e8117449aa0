// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Roles of the bank, and the changes of roles that wait in public
/// @notice An account holds at most one role. A claim signer is appointed, and a guardian is removed, only after
/// `CHANGE_DELAY` and within `CHANGE_WINDOW`. A guardian can cancel an appointment or a raise of a cap, and pause orders.
/// A key that lost a signer role is retired: it never signs again, so its earlier signatures stay invalid.
interface IBankRoles {
    /// @notice A queued change of the role of an account.
    /// @param executableAt The earliest execution, in seconds since 1970.
    struct QueuedChange {
        address account;
        uint256 executableAt;
    }

    event ClaimSignerQueued(address indexed signer, uint256 executableAt);
    event ClaimSignerCancelled(address indexed signer);
    event GuardianRemovalQueued(address indexed guardian, uint256 executableAt);
    event GuardianRemovalCancelled(address indexed guardian);

    error ZeroAddress();
    /// @notice The delay of the admin's succession must be at least `CHANGE_DELAY`.
    error AdminDelayTooShort(uint256 delay);
    /// @notice The account holds this role, and an account holds one role only.
    error AlreadyHasRole(address account, bytes32 role);
    /// @notice The key was a signer before. A new signer requires a new key.
    error KeyRetired(address signer);
    /// @notice The role is granted (claim signer) or removed (guardian) through the queue only.
    error MustBeQueued(bytes32 role);
    /// @notice A guardian is not removed while a raise or an appointment waits that the guardian could cancel.
    error ChangesAreQueued();
    /// @notice The signature is valid, but its signer does not hold `role`.
    error UnauthorizedSigner(address signer, bytes32 role);

    /// @notice Announces a new claim signer. Requires the default admin role.
    function queueClaimSigner(address signer) external;

    /// @notice Appoints an announced claim signer after the delay, within the window. Requires the default admin role.
    function executeClaimSigner(address signer) external;

    /// @notice Cancels the announcement of a claim signer. Requires the guardian, pauser or default admin role.
    function cancelClaimSigner(address signer) external;

    /// @notice Revokes the role of a stolen claim key at once and for ever. Requires the pauser role. Claims cannot be paused:
    /// another signer signs approved withdrawals again, under the same ids.
    function dismissClaimSigner(address signer) external;

    /// @notice Announces the removal of a guardian. Requires the default admin role.
    function queueGuardianRemoval(address guardian) external;

    /// @notice Removes a guardian after the delay, within the window, while no raise and no appointment is queued.
    /// Requires the default admin role.
    function executeGuardianRemoval(address guardian) external;

    /// @notice Cancels the announced removal of a guardian. Requires the default admin role.
    function cancelGuardianRemoval(address guardian) external;

    /// @notice Whether the key lost a signer role, and with it the ability to hold one.
    function retired(address key) external view returns (bool);
    function queuedClaimSigners() external view returns (QueuedChange[] memory);
    function queuedGuardianRemovals() external view returns (QueuedChange[] memory);
}
