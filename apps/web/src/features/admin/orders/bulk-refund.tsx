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
export const canRefund = (payment: SuspendedPaymentItem) =>
  payment.payer_member_id !== null && payment.proposal_id === null

/** Prepares the refunds of several payments after one confirmation, each as a separate proposal. */
export function BulkRefund({
  selection,
  onDone,
}: {
  selection: readonly SuspendedPaymentItem[]
  onDone: () => void
}) {
  const { t } = useTranslation()
  const [batch, setBatch] = useState<{ payments: readonly SuspendedPaymentItem[]; isFree: boolean } | null>(
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
              onClick: () => setBatch({ payments: selection, isFree: true }),
            },
            {
              label: t('admin.orders.refund'),
              onClick: () => setBatch({ payments: selection, isFree: false }),
            },
          ]}
          onClear={onDone}
        />
      )}
      {batch !== null && (
        <BulkSheet
          title={t('desk.orders.refundSeveral', { count: batch.payments.length })}
          summary={
            <>
              <p className="text-20 font-semibold tabular-nums">{totalOf(batch.payments)}</p>
              <p className="text-14 font-semibold">
                {t('admin.field.withdrawal_fee')}: {t(`admin.value.${batch.isFree ? 'none' : 'usual'}`)}
              </p>
              <p className="text-14 text-muted">{t('admin.orders.refundAbout')}</p>
            </>
          }
          reasonLabel={t('admin.reason')}
          reasonLetters={REASON_LETTERS}
          confirmText={t('admin.prepare')}
          steps={batch.payments.map((payment) => ({
            key: `${payment.tx_hash}/${payment.log_index}`,
            label: `${moneyOf(payment)} → ${shortAddress(payment.payer)}`,
            run: async (reason) => {
              const body = {
                ...giveBack(payment, payment.payer_member_id!, batch.isFree),
                reason,
              } as RouteInput<'prepareProposal'>['body']
              const { proposal_id: id } = await call('prepareProposal', { body }, { quiet: true })
              return text('admin.proposal', { id })
            },
          }))}
          onClose={(hasRun) => {
            setBatch(null)
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
