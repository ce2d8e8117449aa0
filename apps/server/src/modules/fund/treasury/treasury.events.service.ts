import { fromChainUnits } from '@rif/rules'
import { type Address, isAddressEqual } from 'viem'
import type { Alarms } from '../../../alarms/alarms.ts'
import { chainExit, EXECUTION_WINDOW_MS } from '../../../chain/bank-exits.ts'
import type { Chain } from '../../../chain/client.ts'
import type { ChainEvent, EventHandler } from '../../../chain/indexer/events.ts'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { ExitRow, UnapprovedExit } from './treasury.repository.ts'
import * as repository from './treasury.repository.ts'
import type { ExitSteps } from './treasury.steps.service.ts'

interface Deps {
  readonly now: Now
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'once'>
  readonly chain: Chain
  readonly reversals: Reversals
  readonly steps: ExitSteps
}

type ExitEvent = ChainEvent<'ExitAnnounced'> | ChainEvent<'ExitExecuted'>
type AnyExitEvent = ExitEvent | ChainEvent<'ExitCancelled'>

const NOT_ANNOUNCED = { announcedTx: null, announcedAt: null, executableAt: null, expiresAt: null } as const
const NOT_ENDED = { endedTx: null, endedAt: null } as const
const NOT_SEEN = { seenStep: null, seenTx: null } as const

/**
 * Creates the handlers of exit events (rules, section 2): each exit follows the chain as payments do. An
 * event of an exit for which the books have set nothing aside is recorded as unapproved, with an alarm; if
 * such an exit is executed, the operator's `shortfall` covers it, so that the books equal the bank.
 */
export function createExitEvents(deps: Deps) {
  const { now, log, alarms, chain, reversals, steps } = deps

  const isSame = (exit: ExitRow, { contract, args }: ExitEvent): boolean => {
    const terms = chainExit(chain, exit)
    const isAgreed =
      args.kind === terms.kind && args.productId === terms.productId && args.amount === terms.amount
    const isAddressed = isAddressEqual(args.token, terms.token) && isAddressEqual(args.to, terms.to)
    return isAgreed && isAddressed && isAddressEqual(contract, exit.bank as Address)
  }
  const exitOf = (dbTx: Db, { args }: AnyExitEvent) =>
    repository.lockExit(dbTx, { onchainId: `${args.exitId}` })
  const unapprovedOf = (dbTx: Db, { contract, args }: AnyExitEvent) =>
    repository.findUnapproved(dbTx, contract.toLowerCase(), `${args.exitId}`)

  /** Stores an event of an unapproved exit, with an alarm. */
  async function noteUnapproved(
    dbTx: Db,
    event: ExitEvent,
    exit: ExitRow | undefined,
    progress: Pick<UnapprovedExit, 'state' | 'executableAt' | 'announcedTx' | 'endedTx'>,
  ): Promise<void> {
    const { args, contract, txHash } = event
    const reason: UnapprovedExit['reason'] =
      exit === undefined ? 'unknown' : isSame(exit, event) ? 'ended' : 'wrong_terms'
    const unapprovedExit = {
      bank: contract.toLowerCase(),
      onchainId: `${args.exitId}`,
      kind: args.kind,
      reason,
      ...progress,
      chainProductId: `${args.productId}`,
      token: args.token.toLowerCase(),
      amount: `${args.amount}`,
      destination: args.to.toLowerCase(),
    }
    await repository.storeUnapproved(dbTx, unapprovedExit, now())
    const facts = { onchainId: unapprovedExit.onchainId, reason, txHash, amount: unapprovedExit.amount }
    log.fatal({ ...facts, destination: args.to }, 'the bank contract has an exit that no admin approved')
    // While it waits in public, the watcher of the bank raises the alarm.
    if (unapprovedExit.state !== 'Executed') return
    await alarms.once(
      'exit_executed_unapproved',
      { ...facts, destination: args.to },
      {
        subject: `${unapprovedExit.bank}/${unapprovedExit.onchainId}`,
        on: dbTx,
      },
    )
  }

  const madeGoodKey = ({ bank, onchainId }: UnapprovedExit) => `unapproved-exit/${bank}/${onchainId}`
  const causeOf = ({ onchainId }: { onchainId: string }) => ({ type: 'unapproved_exit', id: onchainId })

  /** Books the amount that an exit took from the bank against the operator's `shortfall`. */
  async function makeGood(dbTx: Db, event: ChainEvent<'ExitExecuted'>): Promise<void> {
    const { token, amount, exitId } = event.args
    const asset = isAddressEqual(token, chain.contracts.usdt) ? 'USDT' : 'AMC'
    const { micros } = fromChainUnits(amount, chain.decimals[asset])
    const amounts = { USDT: 0n, AMC: 0n, [asset]: micros }
    const of = { bank: event.contract.toLowerCase(), onchainId: `${exitId}` } as UnapprovedExit
    await reversals.makeGood(dbTx, {
      key: madeGoodKey(of),
      memberId: OPERATOR_MEMBER_ID,
      amounts,
      cause: causeOf(of),
    })
  }

  /** Records the next step of an exit, which is on chain and not final yet. */
  async function see(dbTx: Db, event: AnyExitEvent, seenStep: NonNullable<ExitRow['seenStep']>) {
    const exit = await exitOf(dbTx, event)
    const awaited = seenStep === 'announced' ? 'Approved' : 'Announced'
    if (exit?.state !== awaited || !isAddressEqual(event.contract, exit.bank as Address)) return
    if (event.name === 'ExitAnnounced' && !isSame(exit, event)) return
    await repository.moveExit(dbTx, exit.exitId, { ...exit, seenStep, seenTx: event.txHash })
  }

  async function drop(dbTx: Db, event: AnyExitEvent): Promise<void> {
    const exit = await exitOf(dbTx, event)
    // After a quick re-inclusion the exit may already refer to the event's new block.
    if (exit === undefined || exit.seenTx !== event.txHash) return
    await repository.moveExit(dbTx, exit.exitId, { ...exit, ...NOT_SEEN })
  }

  const announced: EventHandler<'ExitAnnounced'> = {
    onSeen: (dbTx, event) => see(dbTx, event, 'announced'),
    onDropped: drop,

    async onFinal(dbTx, event) {
      const exit = await exitOf(dbTx, event)
      const executableAt = timeOf(event.args.executableAt)
      if (exit?.announcedTx === event.txHash && isSame(exit, event)) return
      if (exit?.state !== 'Approved' || !isSame(exit, event)) {
        return noteUnapproved(dbTx, event, exit, {
          state: 'Announced',
          executableAt,
          announcedTx: event.txHash,
          endedTx: null,
        })
      }
      const expiresAt = new Date(executableAt.getTime() + EXECUTION_WINDOW_MS)
      const place = { announcedTx: event.txHash, announcedAt: event.blockAt, executableAt, expiresAt }
      await repository.moveExit(dbTx, exit.exitId, { ...exit, ...NOT_SEEN, ...place, state: 'Announced' })
    },

    async onUndone(dbTx, event) {
      const unapproved = await unapprovedOf(dbTx, event)
      if (unapproved?.announcedTx === event.txHash) {
        await repository.storeUnapproved(dbTx, { ...unapproved, state: 'Undone', announcedTx: null }, now())
        return 'undone'
      }
      const exit = await exitOf(dbTx, event)
      // A released amount stays released: only a recovery below L1 finality undoes the exit's announcement.
      if (exit?.announcedTx === event.txHash && exit.state === 'Announced') {
        await repository.moveExit(dbTx, exit.exitId, { ...exit, ...NOT_ANNOUNCED, state: 'Approved' })
      }
      return 'undone'
    },
  }

  const executed: EventHandler<'ExitExecuted'> = {
    onSeen: (dbTx, event) => see(dbTx, event, 'executed'),
    onDropped: drop,

    async onFinal(dbTx, event) {
      const exit = await exitOf(dbTx, event)
      const place = { endedTx: event.txHash, endedAt: event.blockAt }
      if (exit?.state === 'Executed' && isSame(exit, event)) {
        // The contract executes an id once, so an existing booking is of this execution, perhaps in another
        // block.
        return repository.moveExit(dbTx, exit.exitId, { ...exit, ...place })
      }
      const unapproved = await unapprovedOf(dbTx, event)
      if (unapproved?.state === 'Executed' && unapproved.endedTx === event.txHash) return
      if (exit?.state === 'Announced' && isSame(exit, event)) {
        const now = { ...exit, ...NOT_SEEN, ...place, state: 'Executed' } as const
        await repository.moveExit(dbTx, exit.exitId, now)
        return steps.spend(dbTx, now)
      }
      const { executableAt = null, announcedTx = null } = unapproved ?? {}
      await noteUnapproved(dbTx, event, exit, {
        state: 'Executed',
        executableAt,
        announcedTx,
        endedTx: event.txHash,
      })
      await makeGood(dbTx, event)
    },

    async onUndone(dbTx, event) {
      const exit = await exitOf(dbTx, event)
      if (exit?.state === 'Executed' && exit.endedTx === event.txHash) {
        if ((await steps.unspend(dbTx, exit)) === 'covered') return 'covered'
        await repository.moveExit(dbTx, exit.exitId, { ...exit, ...NOT_ENDED, state: 'Announced' })
        return 'undone'
      }
      const unapproved = await unapprovedOf(dbTx, event)
      if (unapproved === undefined) return 'undone'
      const undoing = { memberId: OPERATOR_MEMBER_ID, cause: causeOf(unapproved) }
      await reversals.undoMadeGood(dbTx, { key: madeGoodKey(unapproved), ...undoing })
      const { announcedTx } = unapproved
      const state = announcedTx === null ? 'Undone' : 'Announced'
      await repository.storeUnapproved(dbTx, { ...unapproved, state, endedTx: null }, now())
      return 'undone'
    },

    onMoved: (dbTx, from, to) => moveEnd(dbTx, from, to),
    onSetAside: makeGood,
  }

  const cancelled: EventHandler<'ExitCancelled'> = {
    onSeen: (dbTx, event) => see(dbTx, event, 'cancelled'),
    onDropped: drop,

    async onFinal(dbTx, event) {
      const unapproved = await unapprovedOf(dbTx, event)
      if (unapproved?.state === 'Announced') {
        const ended = { ...unapproved, state: 'Cancelled', endedTx: event.txHash } as const
        return repository.storeUnapproved(dbTx, ended, now())
      }
      const exit = await exitOf(dbTx, event)
      if (exit?.state !== 'Announced' || !isAddressEqual(event.contract, exit.bank as Address)) return
      // Its amount is released once L1 has finalised this, so that it never has to be set aside again.
      const place = { endedTx: event.txHash, endedAt: event.blockAt }
      await repository.moveExit(dbTx, exit.exitId, { ...exit, ...NOT_SEEN, ...place, state: 'Cancelled' })
    },

    async onUndone(dbTx, event) {
      const unapproved = await unapprovedOf(dbTx, event)
      if (unapproved?.endedTx === event.txHash) {
        const open = { ...unapproved, state: 'Announced', endedTx: null } as const
        await repository.storeUnapproved(dbTx, open, now())
        return 'undone'
      }
      const exit = await exitOf(dbTx, event)
      if (exit?.state !== 'Cancelled' || exit.endedTx !== event.txHash) return 'undone'
      if (exit.releasedAt === null) {
        await repository.moveExit(dbTx, exit.exitId, { ...exit, ...NOT_ENDED, state: 'Announced' })
      } else await standsWithoutMoney(dbTx, exit)
      return 'undone'
    },

    onMoved: (dbTx, from, to) => moveEnd(dbTx, from, to),
  }

  /**
   * Records that an exit can be executed again although its amount was returned: a recovery undid its end.
   */
  function standsWithoutMoney(dbTx: Db, exit: ExitRow): Promise<void> {
    const { exitId, productId, token, to, amount, kind } = chainExit(chain, exit)
    return repository.storeUnapproved(
      dbTx,
      {
        bank: exit.bank,
        onchainId: `${exitId}`,
        kind,
        chainProductId: `${productId}`,
        token: token.toLowerCase(),
        destination: to.toLowerCase(),
        amount: `${amount}`,
        reason: 'ended',
        state: 'Announced',
        executableAt: exit.executableAt,
        endedTx: null,
        announcedTx: exit.announcedTx,
      },
      now(),
    )
  }

  /** Follows an end of an exit into another block. */
  async function moveEnd<name extends 'ExitExecuted' | 'ExitCancelled'>(
    dbTx: Db,
    from: ChainEvent<name>,
    to: ChainEvent<name>,
  ): Promise<boolean> {
    const exit = await exitOf(dbTx, from as AnyExitEvent)
    if (exit?.endedTx !== from.txHash || exit.releasedAt !== null) return false
    await repository.moveExit(dbTx, exit.exitId, { ...exit, endedTx: to.txHash, endedAt: to.blockAt })
    return true
  }

  return { ExitAnnounced: announced, ExitExecuted: executed, ExitCancelled: cancelled }
}

const timeOf = (seconds: bigint) => new Date(Number(seconds) * 1_000)
