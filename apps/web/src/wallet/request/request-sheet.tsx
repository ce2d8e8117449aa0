import type { MoneyAsset } from '@rif/api-schema'
import { addDays, dayOf } from '@rif/rules'
import { formatDay, toAmount, useTranslation } from '../../lib/index.ts'
import { AmountField, ASSET_OPTIONS, Segmented, Sheet, TextField, useSheetValues } from '../../ui/index.ts'
import { ShareLink } from '../share-link.tsx'
import { requestLink } from './payment-request.ts'
import { NOTE_MAX } from './request-search.ts'

const DAYS = ['1', '7', '30'] as const
const EMPTY = { asset: 'USDT' as MoneyAsset, amount: '', note: '', days: '7' as (typeof DAYS)[number] }

/**
 * Creates a link and a QR code that request a transfer to the member's wallet. The person who opens it
 * decides.
 */
export default function RequestSheet({ owner, onClose }: { owner: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues('payment-request', EMPTY)
  const { asset, amount, note, days } = values
  const until = addDays(dayOf(Date.now()), Number(days))
  const wanted = toAmount(amount) === null ? undefined : amount
  // A link without the amount that stands in the field would ask for any.
  const isInvalid = amount !== '' && wanted === undefined
  const link = requestLink(location.origin, {
    to: owner,
    asset,
    note: note.trim(),
    until,
    ...(wanted !== undefined && { amount: wanted }),
  })
  return (
    <Sheet open onClose={onClose} title={t('request.make')} description={t('request.makeHint')}>
      <div className="flex flex-col gap-4 pt-2">
        <Segmented
          label={t('transfers.asset')}
          options={ASSET_OPTIONS}
          value={asset}
          onChange={(value) => set({ asset: value })}
        />
        <AmountField
          label={t('request.amount')}
          unit={asset}
          value={amount}
          onChange={(value) => set({ amount: value })}
          hint={t('request.amountHint')}
          error={isInvalid ? t('transfers.problem.amountInvalid') : undefined}
        />
        <TextField
          label={t('request.noteLabel')}
          hint={t('request.noteHint')}
          maxLength={NOTE_MAX}
          value={note}
          onChange={(event) => set({ note: event.target.value })}
        />
        <Segmented
          label={t('request.valid')}
          options={DAYS.map((value) => ({ value, label: t('request.days', { count: Number(value) }) }))}
          value={days}
          onChange={(value) => set({ days: value })}
        />
        <p className="text-center text-14 text-muted">{t('request.until', { day: formatDay(until) })}</p>
        {!isInvalid && <ShareLink link={link} label={t('request.qr')} />}
      </div>
    </Sheet>
  )
}
