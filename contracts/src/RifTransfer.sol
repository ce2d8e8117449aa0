// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IRifTransfer} from "./interfaces/IRifTransfer.sol";
import {ExactTransfer} from "./libraries/ExactTransfer.sol";

/// @title Transfers from member to member with a reference (see IRifTransfer)
contract RifTransfer is IRifTransfer, ReentrancyGuardTransient {
    using ExactTransfer for IERC20;

    /// @inheritdoc IRifTransfer
    function transfer(address token, address to, uint256 amount, bytes32 ref) external nonReentrant {
        if (to == address(0) || to == address(this) || to == token || to == msg.sender) {
            revert InvalidReceiver(to);
        }
        if (amount == 0) revert ZeroAmount();

        emit Transferred(token, msg.sender, to, amount, ref);
        IERC20(token).pull(msg.sender, to, amount);
    }
}
