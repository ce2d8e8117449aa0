import type { SentTo } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatTime, useTranslation } from '../../lib/index.ts'
import {
  Address,
  Avatar,
  Fact,
  Facts,
  ListSkeleton,
  Loaded,
  Money,
  Pill,
  QrCode,
  Section,
  Sheet,
} from '../../ui/index.ts'
import { NoteLine } from './names.tsx'

export interface HistorySheetProps {
  address: string
  /** The member's own name of it. */
  name: string | null
  onClose: () => void
}

/** An address with its QR code, and all payments of the member to it. */
export default function HistorySheet({ address, name, onClose }: HistorySheetProps) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('sentTo', { query: { address } }))
  return (
    <Sheet open onClose={onClose} title={name ?? t('sentTo.title')} description={t('sentTo.hint')}>
      <div className="flex flex-col gap-6 pt-2">
        <div className="flex items-center gap-3">
          <Avatar address={address} size={48} />
          <div className="min-w-0">
            <Address value={address} form="full" className="min-w-0 text-14" />
            <NoteLine whole address={address} />
          </div>
        </div>
        <Loaded query={query} skeleton={<ListSkeleton rows={3} joined />}>
          {(sent) => <Sent sent={sent} />}
        </Loaded>
        <div className="flex justify-center">
          <QrCode text={address} label={t('sentTo.qr')} />
        </div>
      </div>
    </Sheet>
  )
}

function Sent({ sent: { sums, items } }: { sent: SentTo }) {
  const { t } = useTranslation()
  if (items.length === 0) return <p className="text-14 text-muted">{t('receiver.never')}</p>
  return (
    <>
      {sums.length > 0 && (
        <Section title={t('sentTo.sums')}>
          <Facts>
            {sums.map(({ way, asset, amount, count }) => (
              <Fact key={`${way} ${asset}`} label={t(`sentTo.way.${way}`, { count })}>
                <Money amount={amount} unit={asset} exact />
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
      <Section title={t('sentTo.last')}>
        <ul className="divide-y divide-line">
          {items.map(({ way, id, asset, amount, at, is_done }) => (
            <li key={`${way} ${id}`} className="flex items-center justify-between gap-3 py-2 text-14">
              <span>
                {t(`sentTo.one.${way}`)}
                <span className="block text-12 text-muted">{formatTime(at)}</span>
              </span>
              <span className="flex flex-col items-end">
                <Money amount={amount} unit={asset} exact />
                {!is_done && <Pill tone="warn">{t('sentTo.underWay')}</Pill>}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}
