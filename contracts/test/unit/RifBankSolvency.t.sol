// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBankExits} from "../../src/interfaces/IBankExits.sol";
import {IBankHandOver} from "../../src/interfaces/IBankHandOver.sol";
import {BankFixture} from "../support/BankFixture.sol";

/// @dev Publications of liabilities, and the outflow that they allow.
contract RifBankSolvencyTest is BankFixture {
    uint32 private immutable YESTERDAY = uint32(START / 1 days) - 1;
    bytes32 private constant ROOT = keccak256("root");

    function testSolvencyIsPublishedOnceForAPastDayAndNeverForAnEarlierOne() public {
        _fill(120e6, 30e18);
        IBankExits.AssetTotals[] memory totals = _totals(70e6, 50e6, 25e18);
        vm.expectEmit(address(bank));
        emit IBankExits.SolvencyPublished(YESTERDAY, ROOT, _heads(), totals);
        vm.startPrank(PUBLISHER);
        bank.publishSolvency(YESTERDAY, ROOT, _heads(), totals);
        vm.assertEq(bank.solvencyRoot(YESTERDAY), ROOT);
        vm.assertEq(bank.lastSolvencyDay(), YESTERDAY);
        _expectCover(address(usdt), IBankExits.Cover(70e6, 50e6, 120e6, 0, uint48(START)));
        _expectCover(address(amc), IBankExits.Cover(25e18, 0, 30e18, 0, uint48(START)));

        vm.expectRevert(abi.encodeWithSelector(IBankExits.SolvencyAlreadyPublished.selector, YESTERDAY));
        bank.publishSolvency(YESTERDAY, keccak256("another"), _heads(), totals);
        vm.expectRevert(abi.encodeWithSelector(IBankExits.SolvencyAlreadyPublished.selector, YESTERDAY - 1));
        bank.publishSolvency(YESTERDAY - 1, ROOT, _heads(), totals);
        vm.expectRevert(abi.encodeWithSelector(IBankExits.DayNotOver.selector, YESTERDAY + 1));
        bank.publishSolvency(YESTERDAY + 1, ROOT, _heads(), totals);
        vm.warp(START + 1 days);
        vm.expectRevert(IBankExits.EmptyRoot.selector);
        bank.publishSolvency(YESTERDAY + 1, bytes32(0), _heads(), totals);
        bank.publishSolvency(YESTERDAY + 1, ROOT, _heads(), totals);
        vm.stopPrank();
    }

    function testAPublicationNamesBothTokensOnce() public {
        IBankExits.AssetTotals[] memory totals = _totals(1, 1, 1);
        totals[1].token = address(usdt);
        _expectUnexpectedTotals(totals);
        totals = _totals(1, 1, 1);
        totals[0].token = address(amc);
        _expectUnexpectedTotals(totals);
        IBankExits.AssetTotals[] memory one = new IBankExits.AssetTotals[](1);
        one[0] = _totals(1, 1, 1)[0];
        _expectUnexpectedTotals(one);
        IBankExits.AssetTotals[] memory three = new IBankExits.AssetTotals[](3);
        (three[0], three[1], three[2]) = (one[0], _totals(1, 1, 1)[1], one[0]);
        _expectUnexpectedTotals(three);
    }

    function testNothingIsCoveredBeforeAPublicationAndFortyEightHoursAfterIt() public {
        _fill(100e6, 0);
        _expectCovered(0, 0);
        _publish(60e6, 20e6, 0);
        _expectCovered(20e6, 20e6);
        vm.warp(START + 48 hours);
        _expectCovered(20e6, 20e6);
        vm.warp(START + 48 hours + 1);
        _expectCovered(0, 0);
    }

    /// @dev Old liabilities with today's balance would let members' new money leave.
    function testTheFiguresOfADayThatEndedLongAgoCoverNothing() public {
        _fill(100e6, 0);
        uint256 endOfYesterday = (uint256(YESTERDAY) + 1) * 1 days;
        vm.warp(endOfYesterday + 48 hours + 1);
        IBankExits.AssetTotals[] memory totals = _totals(0, 0, 0);
        vm.prank(PUBLISHER);
        bank.publishSolvency(YESTERDAY, ROOT, _heads(), totals);
        _expectCovered(0, 0);
        vm.assertEq(bank.coverOf(address(usdt)).publishedAt, endOfYesterday);

        vm.warp(endOfYesterday + 3 days + 48 hours);
        vm.prank(PUBLISHER);
        bank.publishSolvency(YESTERDAY + 3, ROOT, _heads(), totals);
        _expectCovered(100e6, 0);
        vm.assertEq(bank.coverOf(address(usdt)).publishedAt, block.timestamp);
    }

    function testWhatComesInCoversNothingAndClaimsLeaveLess() public {
        _fill(100e6, 0);
        _publish(60e6, 0, 0);
        _fill(500e6, 0);
        _expectCovered(40e6, 0);
        _claim(1, 30e6);
        _expectCovered(10e6, 0);
        _claim(2, 11e6);
        _expectCovered(0, 0);
        // Claims beyond the holdings of the publication, paid out of later inflow, leave nothing covered.
        _claim(3, 200e6);
        vm.assertEq(bank.coverOf(address(usdt)).held, 0);
        _expectCovered(0, 0);
    }

    function testNothingIsCoveredWhileTheBankIsShort() public {
        _fill(100e6, 0);
        _publish(60e6, 40e6, 0);
        _expectCovered(0, 40e6);
        vm.warp(START + 1 days);
        _publish(60e6, 40e6 + 1, 0);
        _expectCovered(0, 0);
    }

    function testNothingIsSaidAboutAnotherToken() public {
        vm.expectRevert(abi.encodeWithSelector(IBankHandOver.UnsupportedToken.selector, STRANGER));
        bank.coveredExits(STRANGER);
    }

    function testTotalsOfAnySizeOverflowNothing() public {
        _fill(100e6, 0);
        _publish(type(uint128).max, type(uint128).max, 0);
        _expectCovered(0, 0);
    }

    function _claim(uint256 id, uint256 amount) private {
        IBankExits.Cover memory before = bank.coverOf(address(amc));
        bank.claim(_voucher(id, address(usdt), amount), _signClaim(_voucher(id, address(usdt), amount)));
        vm.assertEq(abi.encode(bank.coverOf(address(amc))), abi.encode(before));
    }

    function _expectUnexpectedTotals(IBankExits.AssetTotals[] memory totals) private {
        vm.expectRevert(IBankExits.UnexpectedTotals.selector);
        vm.prank(PUBLISHER);
        bank.publishSolvency(YESTERDAY, ROOT, _heads(), totals);
    }

    function _expectCovered(uint256 payout, uint256 investment) private view {
        (uint256 actualPayout, uint256 actualInvestment) = bank.coveredExits(address(usdt));
        vm.assertEq(actualPayout, payout, "payout");
        vm.assertEq(actualInvestment, investment, "investment");
    }

    function _expectCover(address token, IBankExits.Cover memory cover) private view {
        vm.assertEq(abi.encode(bank.coverOf(token)), abi.encode(cover));
    }
}
