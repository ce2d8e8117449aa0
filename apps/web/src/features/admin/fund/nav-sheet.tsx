import type { FundProductOperated } from '@rif/api-schema'
import { changePpm, formatMicros, isNavBacked, parseMicros } from '@rif/rules'
import { formatAmount, toAmount, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  type Checked,
  Fact,
  Facts,
  Sheet,
  useDraftForm,
} from '../../../ui/index.ts'
import { DocumentField } from '../components/document-field.tsx'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'

export interface NavSheetProps {
  product: FundProductOperated
  onSubmit: (wanted: Wanted) => void
  onClose: () => void
}

/** Asks for a unit net value with the assets attested for it; shows what it does, and lets none pass that is not backed. */
export function NavSheet({ product, onSubmit, onClose }: NavSheetProps) {
  const { t } = useTranslation()
  const { values, field, submit } = useDraftForm({
    initial: EMPTY,
    check: (text) => checkNav(text, product),
    text: (problem) => t(`admin.fund.${problem}`),
    recheck: true,
  })
  const nav = toAmount(values.nav)
  const effect = nav === null ? null : effectOf(product, nav, toAmount(values.assets))
  return (
    <Sheet open onClose={onClose} title={product.name}>
      <div className="flex flex-col gap-4">
        <AmountField
          label={t('admin.fund.nav')}
          unit="USDT"
          {...field('nav')}
          {...(product.nav !== null && { aside: formatAmount(product.nav) })}
        />
        <AmountField
          label={t('admin.fund.assets')}
          unit="USDT"
          {...field('assets')}
          {...(product.assets !== null && { aside: formatAmount(product.assets) })}
          {...(effect !== null &&
            effect.missing !== null && { error: t('admin.fund.short', { amount: effect.missing }) })}
        />
        {effect !== null && (
          <Card className="bg-sunken">
            <Facts>
              {effect.change !== null && <Fact label={t('admin.fund.change')}>{effect.change}</Fact>}
              <Fact label={t('admin.fund.needed')}>{formatAmount(effect.worth)} USDT</Fact>
              {effect.backing !== null && (
                <Fact label={t('admin.fund.backing')}>{formatAmount(effect.backing)} USDT</Fact>
              )}
            </Facts>
          </Card>
        )}
        <DocumentField {...field('document')} />
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'nav', payload }))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

const EMPTY = { nav: '', assets: '', document: '' }

/** Checks both amounts, the backing of the net value and the document's hash. */
function checkNav(
  text: typeof EMPTY,
  product: FundProductOperated,
): Checked<typeof EMPTY, { ok: true; payload: PayloadOf<'nav'> }, 'invalid' | 'badDocument'> {
  const [nav, assets, document_hash] = [toAmount(text.nav), toAmount(text.assets), text.document.trim()]
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(document_hash)
  if (nav !== null && assets !== null && isHash && effectOf(product, nav, assets).missing === null)
    return { ok: true, payload: { product_id: product.product_id, nav, assets, document_hash } }
  return {
    ok: false,
    problems: {
      ...(nav === null && { nav: 'invalid' }),
      // Missing assets are reported at the field while they are typed.
      ...((assets === null || (nav !== null && isHash)) && { assets: 'invalid' }),
      ...(!isHash && { document: 'badDocument' }),
    },
  }
}

/** Returns the effect of a net value: its change, the worth of all units, the assets behind one unit, and the missing assets. */
function effectOf(product: FundProductOperated, nav: string, assets: string | null) {
  const units = BigInt(product.units)
  const [navMicros, assetsMicros] = [parseMicros(nav), assets === null ? null : parseMicros(assets)]
  const ppm = product.nav === null ? null : changePpm(parseMicros(product.nav), navMicros)
  const isShort = assetsMicros !== null && !isNavBacked(navMicros, units, assetsMicros)
  return {
    change: ppm === null ? null : `${ppm > 0 ? '+' : ''}${ppm / 10_000}%`,
    worth: formatMicros(navMicros * units),
    backing: assetsMicros === null || units === 0n ? null : formatMicros(assetsMicros / units),
    missing: isShort
      ? formatAmount(formatMicros(navMicros * units - assetsMicros), { min: 2, max: 6 })
      : null,
  }
}
