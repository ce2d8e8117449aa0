import * as rewards from '../rewards.ts'
import { get, post, type Routes } from '../route.ts'

export const rewardsRoutes = {
  profitAll: get({
    path: 'profit/all',
    access: 'member',
    summary: 'Rewards and their sums',
    query: rewards.profitAllQuery,
    data: rewards.profitAllData,
  }),
  profitType: get({
    path: 'profit/type',
    access: 'member',
    summary: 'Sums and counts by type over some days',
    query: rewards.rewardRangeQuery,
    data: rewards.profitTypeData,
  }),
  profitDay: get({
    path: 'profit/day',
    access: 'member',
    summary: 'Sums by day, newest first',
    query: rewards.profitDayQuery,
    data: rewards.profitDayData,
  }),
  profitCoverage: get({
    path: 'profit/coverage',
    access: 'public',
    summary: 'What was due and paid over 30 days, and attested revenue',
    data: rewards.profitCoverageData,
  }),
  management: get({
    path: 'profit/mng',
    access: 'member',
    summary: 'The management award: rank, base, paused or not',
    data: rewards.management,
  }),
  setManagement: post({
    path: 'profit/mng',
    access: 'member',
    movesMoney: true,
    summary: 'Pause or resume the management award',
    body: rewards.managementBody,
    data: rewards.management,
  }),
  profitDetail: get({
    path: 'profit/:reward_id',
    access: 'member',
    summary: 'One reward and all that it was worked out from',
    params: rewards.rewardParams,
    data: rewards.rewardDetail,
  }),
} satisfies Routes
