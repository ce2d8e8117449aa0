import type { WalletMove } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import { Address, IconCircle, Money, Pill, Recent } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { SEND_TONES, toWire } from '../wallet-view.ts'

interface MoveProps {
  move: WalletMove
}

/**
 * Returns the other party of a movement: the member's name for it, its address, or the product's contract.
 */
export function useOtherEnd() {
  const { t } = useTranslation()
  return ({ label, counterpart }: WalletMove) =>
    label ??
    (counterpart === null ? t('localWallet.bank') : <Address value={counterpart} form="ends" copy={false} />)
}

/** Returns the state of a movement as text. */
export function MoveState({ move: { status } }: MoveProps) {
  const { t } = useTranslation()
  return <Pill tone={SEND_TONES[status]}>{t(`localWallet.status.${status}`)}</Pill>
}

/**
 * The amounts of a movement, one per line. A tap shows all decimals, except in a send, whose row is a link to
 * its page.
 */
export function MoveAmounts({ move: { direction, legs, first_hash } }: MoveProps) {
  const sign = direction === 'out' ? '-' : ''
  return (
    <span className="flex flex-col items-end font-medium">
      {legs.map((leg) => (
        <Money
          own
          key={leg.asset}
          amount={sign + toWire(leg.amount)}
          unit={leg.asset}
          signed
          exact={first_hash !== null}
        />
      ))}
    </span>
  )
}

/** One movement of the wallet: kind, other party, amount and progress. A send links to its page. */
export function MoveRow({ move }: MoveProps) {
  if (move.first_hash !== null)
    return (
      <PageLink to="/pages/localWallet/result" search={{ tx_hash: move.first_hash }} className="block py-3">
        <MoveContent move={move} />
      </PageLink>
    )
  return (
    <div className="py-3">
      <MoveContent move={move} />
      <div className="mt-1 pl-13 text-13 text-muted max-[359px]:pl-0">
        <TxHash value={move.tx_hash} />
      </div>
    </div>
  )
}

function MoveContent({ move }: MoveProps) {
  const { t } = useTranslation()
  const otherEnd = useOtherEnd()
  const { kind, direction, status, at } = move
  return (
    <span className="flex items-center gap-3">
      <span className="max-[359px]:hidden">
        <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 text-16 font-medium">
          {t(`localWallet.kind.${kind}`)}
          {status !== 'Success' && <MoveState move={move} />}
        </span>
        <span className="block wrap-anywhere text-13 text-muted">{otherEnd(move)}</span>
        <span className="block text-13 text-muted">{formatTime(at)}</span>
      </span>
      <MoveAmounts move={move} />
    </span>
  )
}

const RECENT = 3

/** The last movements of the wallet, beside the form of a send. */
export function RecentMoves() {
  const { t } = useTranslation()
  return (
    <Recent
      title={t('localWallet.history')}
      all={<PageLink to="/pages/localWallet/list">{t('common.all')}</PageLink>}
      query={useQuery(apiQuery('walletHistory', { query: { limit: RECENT } }))}
      keyOf={({ id }) => id}
      render={(move) => <MoveRow move={move} />}
      none={t('localWallet.emptyHint')}
    />
  )
}
