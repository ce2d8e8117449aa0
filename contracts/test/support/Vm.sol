// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The cheat codes of Forge that these tests use
/// @dev Declared here because npm has no current release of forge-std.
interface Vm {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    // Signing
    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    // Sender, chain and time
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function setNonce(address account, uint64 nonce) external;
    function chainId(uint256 id) external;
    function warp(uint256 timestamp) external;

    // Expectations
    function assume(bool condition) external pure;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata data) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assertFalse(bool condition) external pure;
    function assertEq(bool left, bool right, string calldata message) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;

    // Logs
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);

    // Files and snapshots
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
}

/// @title Base of all tests: cheat codes and bounds for fuzzed numbers
abstract contract TestBase {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Maps `value` into `[low, high]`, almost uniformly.
    function _bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        if (value >= low && value <= high) return value;
        uint256 size = high - low + 1;
        return size == 0 ? value : low + value % size;
    }
}
