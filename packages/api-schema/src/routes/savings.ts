import { get, post, type Routes } from '../route.ts'
import * as savings from '../savings.ts'

export const savingsRoutes = {
  savings: get('savings', 'member', 'The Simple Earn account', { data: savings.savingsAccount }),
  savingsIn: post('savings/in', 'member', 'Transfer into savings', {
    movesMoney: true,
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
  }),
  savingsOut: post('savings/out', 'member', 'Transfer out of savings', {
    movesMoney: true,
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
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
