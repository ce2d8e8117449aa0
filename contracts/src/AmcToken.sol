// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title AMC, the native token of the platform
/// @notice ERC-20 with 18 decimals, EIP-2612 permits and a supply fixed at creation: no account can mint or burn.
contract AmcToken is ERC20, ERC20Permit {
    /// @param holder Receives the whole supply.
    /// @param supply In base units (10^-18 AMC).
    constructor(address holder, uint256 supply) ERC20("AMC Token", "AMC") ERC20Permit("AMC Token") {
        _mint(holder, supply);
    }
}
