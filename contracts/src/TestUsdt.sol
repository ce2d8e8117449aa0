// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Test USDT for the local chain
/// @notice Behaves as USD₮0 on Arbitrum One: its name, EIP-2612 permits and EIP-3009 authorisations (signatures in two
/// forms, also of contracts by EIP-1271), a block list, and no transfer to the token itself. Any account can mint, so the
/// token has no value. docs/decisions/0002-contracts.md lists the differences.
contract TestUsdt is EIP712, Nonces {
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant TRANSFER_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    string public constant name = unicode"USD₮0";
    string public constant symbol = unicode"USD₮0";
    uint8 public immutable decimals;
    /// @notice Keeps the block list.
    address public immutable owner = msg.sender;
    uint256 public totalSupply;

    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;
    mapping(address account => bool) public isBlocked;
    /// @notice Whether an authorisation of an account was used.
    mapping(address account => mapping(bytes32 nonce => bool)) public authorizationState;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event BlockPlaced(address indexed _user);
    event BlockReleased(address indexed _user);
    event DestroyedBlockedFunds(address indexed _blockedUser, uint256 _balance);

    modifier onlyNotBlocked() {
        require(!isBlocked[msg.sender], "Blocked: transfers are blocked for user");
        _;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    /// @param decimals_ 6, as on Arbitrum One, or 18 to test the mode with 18 decimals.
    constructor(uint8 decimals_) EIP712(unicode"USD₮0", "1") {
        decimals = decimals_;
    }

    /// @notice Mints `amount` base units for `to`.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        _approve(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) public onlyNotBlocked returns (bool) {
        require(to != address(this), "ERC20: transfer to the contract address");
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external onlyNotBlocked returns (bool) {
        require(to != address(this), "ERC20: transfer to the contract address");
        require(!isBlocked[from]);
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            require(allowed >= amount, "ERC20: insufficient allowance");
            _approve(from, msg.sender, allowed - amount);
        }
        _transfer(from, to, amount);
        return true;
    }

    function multiTransfer(address[] calldata recipients, uint256[] calldata amounts) external {
        require(recipients.length == amounts.length, "ERC20: multiTransfer mismatch");
        for (uint256 i = 0; i < recipients.length; i++) {
            transfer(recipients[i], amounts[i]);
        }
    }

    // Block list

    function addToBlockedList(address account) external onlyOwner {
        isBlocked[account] = true;
        emit BlockPlaced(account);
    }

    function removeFromBlockedList(address account) external onlyOwner {
        isBlocked[account] = false;
        emit BlockReleased(account);
    }

    function destroyBlockedFunds(address account) external onlyOwner {
        require(isBlocked[account]);
        uint256 funds = balanceOf[account];
        balanceOf[account] = 0;
        totalSupply -= funds;
        emit Transfer(account, address(0), funds);
        emit DestroyedBlockedFunds(account, funds);
    }

    // Signed allowances and transfers

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    function permit(
        address account,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        permit(account, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(address account, address spender, uint256 value, uint256 deadline, bytes memory signature)
        public
    {
        require(block.timestamp <= deadline, "ERC20Permit: expired deadline");
        bytes32 hash =
            keccak256(abi.encode(PERMIT_TYPEHASH, account, spender, value, _useNonce(account), deadline));
        require(_isSigned(account, hash, signature), "EIP2612: invalid signature");
        _approve(account, spender, value);
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public onlyNotBlocked {
        bytes32 hash = keccak256(
            abi.encode(TRANSFER_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
        );
        _useAuthorization(from, validAfter, validBefore, nonce, hash, signature);
        _transfer(from, to, value);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public onlyNotBlocked {
        require(to == msg.sender, "EIP3009: caller must be the payee");
        bytes32 hash =
            keccak256(abi.encode(RECEIVE_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        _useAuthorization(from, validAfter, validBefore, nonce, hash, signature);
        _transfer(from, to, value);
    }

    // Internals

    function _useAuthorization(
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes32 hash,
        bytes memory signature
    ) private {
        require(block.timestamp > validAfter, "EIP3009: authorization is not yet valid");
        require(block.timestamp < validBefore, "EIP3009: authorization is expired");
        require(!authorizationState[from][nonce], "EIP3009: authorization is used or canceled");
        require(_isSigned(from, hash, signature), "EIP3009: invalid signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    function _isSigned(address account, bytes32 structHash, bytes memory signature)
        private
        view
        returns (bool)
    {
        return SignatureChecker.isValidSignatureNow(account, _hashTypedDataV4(structHash), signature);
    }

    function _approve(address account, address spender, uint256 amount) private {
        require(spender != address(0), "ERC20: approve to the zero address");
        allowance[account][spender] = amount;
        emit Approval(account, spender, amount);
    }

    function _transfer(address from, address to, uint256 amount) private {
        require(to != address(0), "ERC20: transfer to the zero address");
        uint256 balance = balanceOf[from];
        require(balance >= amount, "ERC20: transfer amount exceeds balance");
        balanceOf[from] = balance - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
