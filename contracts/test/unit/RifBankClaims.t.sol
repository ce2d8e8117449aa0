// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBankRoles} from "../../src/interfaces/IBankRoles.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {IRifBank} from "../../src/interfaces/IRifBank.sol";
import {DailyCap} from "../../src/libraries/DailyCap.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Withdrawal claims and the cap on the outflow of a day.
contract RifBankClaimsTest is BankFixture {
    function setUp() public override {
        super.setUp();
        _fill(10 * USDT_CAP, 10 * AMC_CAP);
    }

    function testAnyAccountCanSubmitAVoucher() public {
        IRifBank.Claim memory voucher = _voucher(3, address(usdt), 25e6);
        bytes memory signature = _signClaim(voucher);

        vm.expectEmit(address(bank));
        emit IRifBank.Claimed(3, address(usdt), MEMBER, 25e6);
        vm.prank(STRANGER);
        bank.claim(voucher, signature);

        vm.assertTrue(_isClaimed(voucher));
        vm.assertEq(usdt.balanceOf(MEMBER), 25e6);
        vm.assertEq(usdt.balanceOf(STRANGER), 0);
        vm.assertEq(bank.outflowToday(address(usdt)), 25e6);
        vm.assertEq(bank.remainingToday(address(usdt)), USDT_CAP - 25e6);
        vm.assertEq(bank.outflowToday(address(amc)), 0);
    }

    function testRefusesASecondClaimEvenWithANewVoucher() public {
        IRifBank.Claim memory voucher = _voucher(1, address(amc), 5e18);
        bank.claim(voucher, _signClaim(voucher));

        bytes memory signature = _signClaim(voucher);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.AlreadyClaimed.selector, 1));
        bank.claim(voucher, signature);

        voucher.deadline += 1 days;
        signature = _signClaim(voucher);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.AlreadyClaimed.selector, 1));
        bank.claim(voucher, signature);
    }

    function testFuzzTheSameTermsArePaidOnceWhateverTheirDeadline(
        uint256 withdrawalId,
        uint256 amount,
        uint256[4] calldata deadlines
    ) public {
        IRifBank.Claim memory voucher = _voucher(withdrawalId, address(usdt), _bound(amount, 1, USDT_CAP / 2));
        bank.claim(voucher, _signClaim(voucher));
        for (uint256 i = 0; i < deadlines.length; i++) {
            voucher.deadline = _bound(deadlines[i], block.timestamp, type(uint256).max);
            bytes memory signature = _signClaim(voucher);
            vm.expectRevert(abi.encodeWithSelector(IRifBank.AlreadyClaimed.selector, withdrawalId));
            bank.claim(voucher, signature);
        }
        vm.assertEq(usdt.balanceOf(MEMBER), voucher.amount);
    }

    /// @dev A claim key that signs the id of a member's withdrawal with other terms (another receiver, token or amount)
    /// leaves the member's own voucher payable.
    function testAStolenClaimKeyCannotUseUpTheWithdrawalOfAnother() public {
        IRifBank.Claim memory honest = _voucher(1, address(usdt), 25e6);
        bytes memory voucherOfMember = _signClaim(honest);
        IRifBank.Claim[3] memory burns = [
            IRifBank.Claim(1, address(usdt), STRANGER, 25e6, honest.deadline),
            IRifBank.Claim(1, address(usdt), MEMBER, 1, honest.deadline),
            IRifBank.Claim(1, address(amc), MEMBER, 25e6, honest.deadline)
        ];
        for (uint256 i = 0; i < burns.length; i++) {
            bank.claim(burns[i], _signClaim(burns[i]));
            vm.assertFalse(_isClaimed(honest));
        }
        bank.claim(honest, voucherOfMember);
        vm.assertTrue(_isClaimed(honest));
        vm.assertEq(usdt.balanceOf(MEMBER), 25e6 + 1);
    }

    function testAnExpiredVoucherCanBeIssuedAgain() public {
        IRifBank.Claim memory voucher = _voucher(1, address(amc), 5e18);
        bytes memory signature = _signClaim(voucher);
        vm.warp(voucher.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IRifBank.DeadlinePassed.selector, voucher.deadline));
        bank.claim(voucher, signature);

        voucher.deadline = block.timestamp;
        bank.claim(voucher, _signClaim(voucher));
        vm.assertEq(amc.balanceOf(MEMBER), 5e18);
    }

    function testRefusesZeroAmountsAndInvalidReceiversAndTokens() public {
        IRifBank.Claim memory voucher = _voucher(1, address(amc), 0);
        _expectRefusal(voucher, abi.encodeWithSelector(IBankHandOver.ZeroAmount.selector));

        voucher.amount = 1;
        voucher.to = address(0);
        _expectRefusal(voucher, abi.encodeWithSelector(IBankRoles.ZeroAddress.selector));

        address[3] memory unfit = [address(bank), address(usdt), address(amc)];
        for (uint256 i = 0; i < unfit.length; i++) {
            voucher.to = unfit[i];
            _expectRefusal(voucher, abi.encodeWithSelector(IBankHandOver.InvalidReceiver.selector, unfit[i]));
        }

        voucher.to = MEMBER;
        voucher.token = STRANGER;
        _expectRefusal(voucher, abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
    }

    function testTheCapIsExactAndSeparateForEachToken() public {
        _claim(1, address(usdt), USDT_CAP - 1);
        _expectRefusal(
            _voucher(2, address(usdt), 2), abi.encodeWithSelector(DailyCap.DailyCapExceeded.selector, 1, 2)
        );
        _claim(2, address(usdt), 1);
        _expectRefusal(
            _voucher(3, address(usdt), 1), abi.encodeWithSelector(DailyCap.DailyCapExceeded.selector, 0, 1)
        );
        _claim(4, address(amc), AMC_CAP);
        vm.assertEq(bank.remainingToday(address(usdt)), 0);
        vm.assertEq(bank.remainingToday(address(amc)), 0);
    }

    function testTheCapResetsAtMidnightUtc() public {
        uint256 midnight = (START / 1 days + 1) * 1 days;
        vm.warp(midnight - 1);
        _claim(1, address(usdt), USDT_CAP);
        _expectRefusal(
            _voucher(2, address(usdt), 1), abi.encodeWithSelector(DailyCap.DailyCapExceeded.selector, 0, 1)
        );
        vm.warp(midnight);
        vm.assertEq(bank.outflowToday(address(usdt)), 0);
        _claim(2, address(usdt), USDT_CAP);
    }

    function testFuzzClaimsNeverExceedTheCap(uint256[8] calldata amounts, uint32[8] calldata waits) public {
        uint256 day = block.timestamp / 1 days;
        uint256 spent;
        for (uint256 i = 0; i < amounts.length; i++) {
            vm.warp(block.timestamp + waits[i] % 1 days);
            if (block.timestamp / 1 days != day) (day, spent) = (block.timestamp / 1 days, 0);

            IRifBank.Claim memory voucher = _voucher(i, address(usdt), _bound(amounts[i], 1, USDT_CAP));
            uint256 remaining = USDT_CAP - spent;
            if (voucher.amount > remaining) {
                _expectRefusal(
                    voucher,
                    abi.encodeWithSelector(DailyCap.DailyCapExceeded.selector, remaining, voucher.amount)
                );
            } else {
                bank.claim(voucher, _signClaim(voucher));
                spent += voucher.amount;
            }
            vm.assertEq(bank.outflowToday(address(usdt)), spent);
            vm.assertEq(bank.remainingToday(address(usdt)), USDT_CAP - spent);
        }
    }

    function testAClaimThatFailsForLackOfBalanceCanBeRepeated() public {
        bank = _deployBank(address(usdt), address(amc));
        IRifBank.Claim memory voucher = _voucher(1, address(usdt), 1);
        bytes memory signature = _signClaim(voucher);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        bank.claim(voucher, signature);
        vm.assertFalse(_isClaimed(voucher));
        vm.assertEq(bank.outflowToday(address(usdt)), 0);

        usdt.mint(address(bank), 1);
        bank.claim(voucher, signature);
    }

    function testOneTransactionPaysSeveralVouchers() public {
        IRifBank.Claim[] memory vouchers = new IRifBank.Claim[](3);
        vouchers[0] = _voucher(1, address(usdt), 25e6);
        vouchers[1] = _voucher(2, address(amc), 5e18);
        vouchers[2] = _voucher(3, address(usdt), 10e6);
        vouchers[2].to = STRANGER;
        bytes[] memory signatures = _signAll(vouchers);
        for (uint256 i = 0; i < 3; i++) {
            vm.expectEmit(address(bank));
            IRifBank.Claim memory one = vouchers[i];
            emit IRifBank.Claimed(one.withdrawalId, one.token, one.to, one.amount);
        }
        vm.prank(STRANGER);
        bank.claimMany(vouchers, signatures);

        vm.assertEq(usdt.balanceOf(MEMBER), 25e6);
        vm.assertEq(amc.balanceOf(MEMBER), 5e18);
        vm.assertEq(usdt.balanceOf(STRANGER), 10e6);
        vm.assertEq(bank.outflowToday(address(usdt)), 35e6);
        for (uint256 i = 0; i < 3; i++) {
            vm.assertTrue(_isClaimed(vouchers[i]));
            signatures[0] = _signClaim(vouchers[i]);
            vm.expectRevert(abi.encodeWithSelector(IRifBank.AlreadyClaimed.selector, vouchers[i].withdrawalId));
            bank.claim(vouchers[i], signatures[0]);
        }
    }

    function testOneRefusedVoucherRefusesAll() public {
        IRifBank.Claim[] memory vouchers = new IRifBank.Claim[](2);
        vouchers[0] = _voucher(1, address(usdt), USDT_CAP - 1);

        vouchers[1] = _voucher(2, address(usdt), 2);
        _expectRefusalOfAll(
            vouchers, _signAll(vouchers), abi.encodeWithSelector(DailyCap.DailyCapExceeded.selector, 1, 2)
        );

        vouchers[1] = vouchers[0];
        _expectRefusalOfAll(
            vouchers, _signAll(vouchers), abi.encodeWithSelector(IRifBank.AlreadyClaimed.selector, 1)
        );

        vouchers[1] = _voucher(2, address(usdt), 1);
        bytes[] memory signatures = _signAll(vouchers);
        signatures[1] = _sign(QUOTE_KEY, bank.hashClaim(vouchers[1]));
        bytes32 role = bank.CLAIM_SIGNER_ROLE();
        _expectRefusalOfAll(
            vouchers,
            signatures,
            abi.encodeWithSelector(IBankRoles.UnauthorizedSigner.selector, vm.addr(QUOTE_KEY), role)
        );

        bank.claimMany(vouchers, _signAll(vouchers));
        vm.assertEq(usdt.balanceOf(MEMBER), USDT_CAP);
    }

    function testRefusesVouchersWithoutTheirSignatures() public {
        IRifBank.Claim[] memory vouchers = new IRifBank.Claim[](1);
        vouchers[0] = _voucher(1, address(usdt), 1);
        _expectRefusalOfAll(
            vouchers, new bytes[](0), abi.encodeWithSelector(IRifBank.UnmatchedVouchers.selector, 1, 0)
        );
        bytes[] memory two = new bytes[](2);
        (two[0], two[1]) = (_signClaim(vouchers[0]), _signClaim(vouchers[0]));
        _expectRefusalOfAll(
            vouchers, two, abi.encodeWithSelector(IRifBank.UnmatchedVouchers.selector, 1, 2)
        );
        vm.expectRevert(abi.encodeWithSelector(IRifBank.UnmatchedVouchers.selector, 0, 0));
        bank.claimMany(new IRifBank.Claim[](0), new bytes[](0));
    }

    function _claim(uint256 withdrawalId, address token, uint256 amount) private {
        IRifBank.Claim memory voucher = _voucher(withdrawalId, token, amount);
        bank.claim(voucher, _signClaim(voucher));
    }

    function _expectRefusal(IRifBank.Claim memory voucher, bytes memory reason) private {
        bytes memory signature = _signClaim(voucher);
        vm.expectRevert(reason);
        bank.claim(voucher, signature);
        vm.assertFalse(_isClaimed(voucher));
    }

    function _signAll(IRifBank.Claim[] memory vouchers) private view returns (bytes[] memory signatures) {
        signatures = new bytes[](vouchers.length);
        for (uint256 i = 0; i < vouchers.length; i++) {
            signatures[i] = _signClaim(vouchers[i]);
        }
    }

    function _expectRefusalOfAll(
        IRifBank.Claim[] memory vouchers,
        bytes[] memory signatures,
        bytes memory reason
    ) private {
        vm.expectRevert(reason);
        bank.claimMany(vouchers, signatures);
        for (uint256 i = 0; i < vouchers.length; i++) {
            vm.assertFalse(_isClaimed(vouchers[i]));
        }
        vm.assertEq(bank.outflowToday(address(usdt)), 0);
    }
}
