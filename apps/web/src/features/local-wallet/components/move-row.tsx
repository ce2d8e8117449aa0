import type { WalletMove } from '@rif/api-schema'
import { formatTime, PageLink, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Card, Icon, Money, Pill } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { SEND_TONES, toWire } from '../wallet-view.ts'

/** One movement of the wallet: what, with whom, how much, how far. A send opens where it is followed. */
export function MoveRow({ move }: { move: WalletMove }) {
  const content = <MoveContent move={move} />
  return (
    <Card className="py-3">
      {move.first_hash === null ? (
        content
      ) : (
        <PageLink to="/pages/localWallet/result" search={{ tx_hash: move.first_hash }} className="block">
          {content}
        </PageLink>
      )}
      {move.first_hash === null && (
        <div className="mt-1 pl-13 text-12 text-muted">
          <TxHash value={move.tx_hash} />
        </div>
      )}
    </Card>
  )
}

function MoveContent({ move }: { move: WalletMove }) {
  const { t } = useTranslation()
  const { kind, direction, legs, counterpart, label, status, at } = move
  const sign = direction === 'out' ? '-' : ''
  return (
    <span className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-12 bg-sunken">
        <Icon name={direction === 'in' ? 'receive' : 'send'} size={20} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2 text-16">
          {t(`localWallet.kind.${kind}`)}
          {status !== 'Success' && <Pill tone={SEND_TONES[status]}>{t(`localWallet.status.${status}`)}</Pill>}
        </span>
        <span className="block wrap-anywhere text-12 text-muted">
          {label ?? (counterpart === null ? t('localWallet.bank') : shortAddress(counterpart))}
        </span>
        <span className="block text-12 text-muted">{formatTime(at)}</span>
      </span>
      <span className="flex flex-col text-right text-14">
        {legs.map((leg) => (
          <Money key={leg.asset} amount={sign + toWire(leg.amount)} unit={leg.asset} signed exact />
        ))}
      </span>
    </span>
  )
}
