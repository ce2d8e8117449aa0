import type { FundProductOperated } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useRef } from 'react'
import { formatAmount, toAmount, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  type Checked,
  Fact,
  Facts,
  Sheet,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'
import { base64Of } from './product-form.tsx'

interface ValuationSheetProps {
  product: FundProductOperated
  onSubmit: (wanted: Wanted) => void
  onClose: () => void
}

const MAX_HELD_AT = 200

/** Asks what all investments of a product are worth, where they are held and for the document; shows the net value. */
export function ValuationSheet({ product, onSubmit, onClose }: ValuationSheetProps) {
  const { t } = useTranslation()
  const { values, field, textField, submit } = useDraftForm({
    initial: EMPTY,
    check: (text) => checkValuation(text, product),
    text: (problem) => t(`admin.fund.${problem}`),
    recheck: true,
  })
  const file = useRef<HTMLInputElement>(null)
  const value = toAmount(values.value)
  const document = field('document')
  return (
    <Sheet open onClose={onClose} title={product.name}>
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t('admin.fund.valuationAbout')}</p>
        <AmountField
          label={t('admin.fund.value')}
          unit="USDT"
          aside={formatAmount(product.invested)}
          {...field('value')}
        />
        <TextField label={t('admin.fund.heldAt')} maxLength={MAX_HELD_AT} {...textField('heldAt')} />
        {value !== null && BigInt(product.units) > 0n && (
          <Card className="bg-sunken">
            <Facts>
              <Fact label={t('admin.fund.navNow')}>{formatAmount(product.nav)} USDT</Fact>
              <Fact label={t('admin.fund.navThen')}>{formatAmount(navAt(product, value))} USDT</Fact>
            </Facts>
          </Card>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="secondary" onClick={() => file.current?.click()}>
            {t('admin.fund.chooseDocument')}
          </Button>
          <p
            className={document.error === undefined ? 'text-12 text-muted' : 'text-12 text-bad'}
            role="status"
          >
            {document.error ?? (titleOf(document.value) || t('admin.fund.documentPublic'))}
          </p>
        </div>
        <input
          ref={file}
          type="file"
          accept=".pdf,.txt,application/pdf,text/plain"
          hidden
          onChange={async ({ target }) => {
            const chosen = target.files?.[0]
            // The same file may be chosen again.
            target.value = ''
            if (chosen !== undefined) document.onChange(await evidenceText(chosen))
          }}
        />
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'fund_valuation', payload }))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

type Evidence = PayloadOf<'fund_valuation'>['document']

const EMPTY = { value: '', heldAt: '', document: '' }
const MAX_TITLE = 120

/** Returns a document as the text of a draft: the JSON of `Evidence`. */
async function evidenceText(chosen: File): Promise<string> {
  const media_type = chosen.type === 'application/pdf' ? 'application/pdf' : 'text/plain'
  const title = chosen.name.slice(0, MAX_TITLE)
  return JSON.stringify({ title, media_type, content: await base64Of(chosen) } satisfies Evidence)
}

const titleOf = (text: string): string => (text === '' ? '' : (JSON.parse(text) as Evidence).title)

/** Returns the net value that a value of all investments gives. */
function navAt({ cash, units }: FundProductOperated, value: string): string {
  return formatMicros((parseMicros(cash) + parseMicros(value)) / BigInt(units))
}

function checkValuation(
  text: typeof EMPTY,
  { product_id }: FundProductOperated,
): Checked<
  typeof EMPTY,
  { ok: true; payload: PayloadOf<'fund_valuation'> },
  'invalid' | 'noPlace' | 'noDocument'
> {
  const [value, heldAt] = [toAmount(text.value), text.heldAt.trim()]
  if (value !== null && heldAt !== '' && text.document !== '') {
    const document = JSON.parse(text.document) as Evidence
    return { ok: true, payload: { product_id, value, held_at: heldAt, document } }
  }
  return {
    ok: false,
    problems: {
      ...(value === null && { value: 'invalid' }),
      ...(heldAt === '' && { heldAt: 'noPlace' }),
      ...(text.document === '' && { document: 'noDocument' }),
    },
  }
}
