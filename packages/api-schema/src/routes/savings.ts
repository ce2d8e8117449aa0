import { get, post, type Routes } from '../route.ts'
import * as savings from '../savings.ts'

export const savingsRoutes = {
  savings: get({
    path: 'savings',
    access: 'member',
    summary: 'The Simple Earn account',
    data: savings.savingsAccount,
  }),
  savingsIn: post({
    path: 'savings/in',
    access: 'member',
    movesMoney: true,
    summary: 'Transfer into savings, at once',
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
  }),
  savingsOut: post({
    path: 'savings/out',
    access: 'member',
    movesMoney: true,
    summary: 'Transfer out of savings',
    body: savings.savingsTransferBody,
    data: savings.savingsTransfer,
  }),
  savingsTransfers: get({
    path: 'savings/transfers',
    access: 'member',
    summary: 'Transfers in and out, newest first',
    query: savings.savingsTransfersQuery,
    data: savings.savingsTransfersData,
  }),
  savingsInterest: get({
    path: 'savings/interest',
    access: 'member',
    summary: 'Interest by day, newest first',
    query: savings.savingsInterestQuery,
    data: savings.savingsInterestData,
  }),
  savingsCoverage: get({
    path: 'savings/coverage',
    access: 'public',
    summary: 'What was due and paid of the interest over 30 days',
    data: savings.savingsCoverageData,
  }),
} satisfies Routes
