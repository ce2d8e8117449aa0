// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev Credits the receiver with `skew` base units more than the sender requested.
contract SkewedToken is ERC20 {
    int256 public skew;

    constructor() ERC20("Skewed", "SKW") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setSkew(int256 skew_) external {
        skew = skew_;
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from == address(0) || to == address(0)) return;
        if (skew < 0) super._update(to, address(0), uint256(-skew));
        if (skew > 0) super._update(address(0), to, uint256(skew));
    }
}

/// @dev Debits the sender with a fee in addition to the amount.
contract SurchargeToken is ERC20 {
    constructor() ERC20("Surcharge", "SUR") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && to != address(0)) super._update(from, address(0), 1);
    }
}

/// @dev Returns false instead of reverting, without moving tokens.
contract FalseToken is ERC20 {
    constructor() ERC20("False", "FLS") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// @dev Makes one configured call during a transfer and records its result.
contract ReentrantToken is ERC20 {
    address private _target;
    bytes private _data;
    bool public attempted;
    bytes public failure;

    constructor() ERC20("Reentrant", "REE") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        address target = _target;
        if (target == address(0)) return;
        _target = address(0);
        attempted = true;
        (bool ok, bytes memory result) = target.call(_data);
        if (!ok) failure = result;
    }
}

/// @dev Reports a supply, and reverts on every other call.
contract BrokenToken {
    uint256 public constant totalSupply = type(uint256).max;
}

/// @dev Differs from ERC-20 as USDT on Ethereum does: transfers and approvals return no value, and an allowance can only be
/// changed to or from zero. Refuses transfers of nothing, as some tokens do.
contract SilentToken {
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(amount != 0);
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
