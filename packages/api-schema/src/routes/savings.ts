import { get, post, type Routes } from '../route.ts'
import * as savings from '../savings.ts'

export const savingsRoutes = {
  savings: get('savings', 'member', 'The Simple Earn account', { data: savings.savingsAccount }),
  savingsIn: post('savings/in', 'member', 'Transfer into savings', {
    movesMoney: true,
    body: savings.savingsInBody,
    data: savings.savingsTransfer,
  }),
  savingsOut: post('savings/out', 'member', 'Transfer out of savings', {
    movesMoney: true,
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
  }),
  savingsStanding: get('savings/standing', 'member', 'Standing transfers into savings', {
    data: savings.standingSavingsData,
  }),
  savingsStandingSet: post(
    'savings/standing',
    'member',
    'Begin or change the standing transfer of an asset',
    {
      body: savings.standingSavingsBody,
      data: savings.standingSavingsData,
    },
  ),
  savingsStandingEnd: post('savings/standing/end', 'member', 'End the standing transfer of an asset', {
    body: savings.standingSavingsEndBody,
    data: savings.standingSavingsData,
  }),
  savingsTransfers: get('savings/transfers', 'member', 'Transfers in and out, newest first', {
    query: savings.savingsTransfersQuery,
    data: savings.savingsTransfersData,
  }),
  savingsInterest: get('savings/interest', 'member', 'Interest by day, newest first', {
    query: savings.savingsInterestQuery,
    data: savings.savingsInterestData,
  }),
  savingsCoverage: get('savings/coverage', 'public', 'Due and paid interest over 30 days', {
    data: savings.savingsCoverageData,
  }),
} satisfies Routes
