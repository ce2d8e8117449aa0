import * as treasury from '../admin-treasury.ts'
import { get, post, type Routes } from '../route.ts'

/** The routes of the treasury page, `admin/treasury/...`. */
export const treasuryRoutes = {
  treasury: get('admin/treasury', 'viewer', 'What may be taken of revenue and fees, and what limits it', {
    data: treasury.treasuryData,
  }),
  exits: get('admin/treasury/exits', 'viewer', 'Exits of the bank contract, newest first', {
    query: treasury.exitsQuery,
    data: treasury.exitsData,
  }),
  exitDestinations: get('admin/treasury/destinations', 'viewer', 'Destinations of exits with their times', {
    data: treasury.exitDestinationsData,
  }),
  exitTx: get(
    'admin/treasury/exits/:exit_id/tx/:call',
    'viewer',
    'The unsigned transaction that announces, executes or cancels an exit; the first two for operators only',
    { params: treasury.exitTxParams, data: treasury.exitTx },
  ),
  withdrawExit: post(
    'admin/treasury/exits/:exit_id/withdraw',
    'operator',
    'Give up an exit that is not announced yet, and release its amount',
    {
      lane: 'locks',
      movesMoney: true,
      params: treasury.exitParams,
      body: treasury.withdrawExitBody,
      data: treasury.treasuryExit,
    },
  ),
} satisfies Routes
