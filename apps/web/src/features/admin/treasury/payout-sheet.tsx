import type { ExitDestination, MayTake } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { formatAmount, plainText, toAmount, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  type Checked,
  Notice,
  Segmented,
  Sheet,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import { DocumentField } from '../components/document-field.tsx'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'
import { DestinationChoice, usableDestinations } from './destination-choice.tsx'

const SOURCES = ['revenue', 'fees'] as const
const ASSETS = ['USDT', 'AMC'] as const
const MAX_PURPOSE = 200
const EMPTY = {
  asset: 'USDT' as (typeof ASSETS)[number],
  source: 'revenue' as (typeof SOURCES)[number],
  amount: '',
  destination: '',
  purpose: '',
  document: '',
}

export interface PayoutSheetProps {
  assets: readonly MayTake[]
  destinations: readonly ExitDestination[]
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a treasury payout: amount and asset, the listed destination, and the document. */
export function PayoutSheet({ assets, destinations, onSubmit, onClose }: PayoutSheetProps) {
  const { t } = useTranslation()
  const listed = usableDestinations(destinations)
  const { values, field, textField, submit, clear } = useDraftForm({
    name: 'payout',
    initial: { ...EMPTY, destination: listed[0]?.address ?? '' },
    check: (text) => check(text, assets),
    text: (problem) => t(`admin.treasury.${problem}`),
    recheck: true,
  })
  const figures = assets.find(({ asset }) => asset === values.asset)
  const amount = toAmount(values.amount)
  const isMore = amount !== null && figures !== undefined && parseMicros(amount) > parseMicros(figures.amount)
  return (
    <Sheet open onClose={onClose} title={t('admin.treasury.prepare')}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('admin.treasury.asset')}
          options={ASSETS.map((value) => ({ value, label: value }))}
          {...field('asset')}
        />
        <Segmented
          label={t('admin.treasury.source')}
          options={SOURCES.map((value) => ({ value, label: t(`admin.treasury.row.${value}`) }))}
          {...field('source')}
        />
        <AmountField
          label={t('admin.treasury.amount')}
          unit={values.asset}
          {...field('amount')}
          {...(figures && { aside: formatAmount(figures[values.source]) })}
        />
        {isMore && (
          <Notice tone="warn">
            {t('admin.treasury.moreThanNow', { amount: formatAmount(figures.amount), asset: values.asset })}
          </Notice>
        )}
        <DestinationChoice destinations={destinations} {...field('destination')} />
        <TextField label={t('admin.treasury.purpose')} maxLength={MAX_PURPOSE} {...textField('purpose')} />
        <DocumentField {...field('document')} />
        <Button
          disabled={listed.length === 0}
          onClick={submit(({ payload }) => onSubmit({ kind: 'treasury_payout', payload }, clear))}
        >
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

type Problem = 'invalidAmount' | 'notInBooks' | 'missing' | 'badDocument'

function check(
  text: typeof EMPTY,
  assets: readonly MayTake[],
): Checked<typeof EMPTY, { ok: true; payload: PayoutPayload }, Problem> {
  const { asset, source, destination } = text
  const amount = toAmount(text.amount)
  const purpose = text.purpose.trim()
  const document_hash = plainText(text.document)
  const figures = assets.find((item) => item.asset === asset)
  const isGiven = amount !== null && parseMicros(amount) > 0n
  const isInBooks = isGiven && figures !== undefined && parseMicros(amount) <= parseMicros(figures[source])
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(document_hash)
  if (isGiven && isInBooks && purpose !== '' && isHash)
    return { ok: true, payload: { asset, source, amount, destination, purpose, document_hash } }
  return {
    ok: false,
    problems: {
      ...(!isInBooks && { amount: isGiven ? 'notInBooks' : 'invalidAmount' }),
      ...(purpose === '' && { purpose: 'missing' }),
      ...(!isHash && { document: 'badDocument' }),
    },
  }
}

type PayoutPayload = PayloadOf<'treasury_payout'>
