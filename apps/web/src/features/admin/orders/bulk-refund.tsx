import type { RouteInput, SuspendedPaymentItem } from '@rif/api-schema'
import { useState } from 'react'
import { call, shortAddress, sumAmounts, t as text, useTranslation } from '../../../lib/index.ts'
import { BulkBar } from '../list/bulk-bar.tsx'
import { BulkSheet } from '../list/bulk-sheet.tsx'
import { giveBack } from './order-details.tsx'
import { moneyOf } from './order-shapes.tsx'

/** The shortest reason of a proposal. */
const REASON_LETTERS = 3

/** Reports whether a payment can be refunded to its payer and has no proposal yet. */
export const canRefund = (one: SuspendedPaymentItem) =>
  one.payer_member_id !== null && one.proposal_id === null

/** Prepares the refunds of several payments after one confirmation, each as a separate proposal. */
export function BulkRefund({
  selection,
  onDone,
}: {
  selection: readonly SuspendedPaymentItem[]
  onDone: () => void
}) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<{ payments: readonly SuspendedPaymentItem[]; isFree: boolean } | null>(
    null,
  )
  return (
    <>
      {selection.length > 0 && (
        <BulkBar
          count={selection.length}
          totals={totalOf(selection)}
          steps={[
            {
              label: t('admin.orders.refundFree'),
              onClick: () => setAsked({ payments: selection, isFree: true }),
            },
            {
              label: t('admin.orders.refund'),
              onClick: () => setAsked({ payments: selection, isFree: false }),
            },
          ]}
          onClear={onDone}
        />
      )}
      {asked !== null && (
        <BulkSheet
          title={t('desk.orders.refundSeveral', { count: asked.payments.length })}
          summary={
            <>
              <p className="text-20 font-semibold tabular-nums">{totalOf(asked.payments)}</p>
              <p className="text-14 font-semibold">
                {t('admin.field.withdrawal_fee')}: {t(`admin.value.${asked.isFree ? 'none' : 'usual'}`)}
              </p>
              <p className="text-14 text-muted">{t('admin.orders.refundAbout')}</p>
            </>
          }
          reasonLabel={t('admin.reason')}
          reasonLetters={REASON_LETTERS}
          confirmText={t('admin.prepare')}
          steps={asked.payments.map((payment) => ({
            key: `${payment.tx_hash}/${payment.log_index}`,
            label: `${moneyOf(payment)} → ${shortAddress(payment.payer)}`,
            run: async (reason) => {
              const body = {
                ...giveBack(payment, payment.payer_member_id!, asked.isFree),
                reason,
              } as RouteInput<'prepareProposal'>['body']
              const { proposal_id: id } = await call('prepareProposal', { body }, { quiet: true })
              return text('admin.proposal', { id })
            },
          }))}
          onClose={(hasRun) => {
            setAsked(null)
            if (hasRun) onDone()
          }}
        />
      )}
    </>
  )
}

const totalOf = (items: readonly SuspendedPaymentItem[]) =>
  moneyOf({
    usdt: sumAmounts(items.map(({ usdt }) => usdt)),
    amc: sumAmounts(items.map(({ amc }) => amc)),
  })
