import * as rewards from '../rewards.ts'
import { get, post, type Routes } from '../route.ts'

export const rewardsRoutes = {
  profitAll: get('profit/all', 'member', 'Rewards and their sums', {
    query: rewards.profitAllQuery,
    data: rewards.profitAllData,
  }),
  profitType: get('profit/type', 'member', 'Sums and counts by type over some days', {
    query: rewards.rewardRangeQuery,
    data: rewards.profitTypeData,
  }),
  profitDay: get('profit/day', 'member', 'Sums by day, newest first', {
    query: rewards.profitDayQuery,
    data: rewards.profitDayData,
  }),
  profitCoverage: get(
    'profit/coverage',
    'public',
    'Due and paid rewards over 30 days, and attested revenue',
    { data: rewards.profitCoverageData },
  ),
  management: get('profit/mng', 'member', 'The management award: rank, base and pause', {
    data: rewards.management,
  }),
  setManagement: post('profit/mng', 'member', 'Pause or resume the management award', {
    movesMoney: true,
    body: rewards.managementBody,
    data: rewards.management,
  }),
  profitFrom: get('profit/from/:member_id', 'member', 'Rewards that the orders of a member paid', {
    params: rewards.rewardSourceParams,
    data: rewards.rewardSourceData,
  }),
  profitDetail: get('profit/:reward_id', 'member', 'A reward with all inputs of its calculation', {
    params: rewards.rewardParams,
    data: rewards.rewardDetail,
  }),
} satisfies Routes
