import type { FundProductOperated } from '@rif/api-schema'
import { changePpm, formatMicros, isNavBacked, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { formatAmount, toAmount, useTranslation } from '../../../lib/index.ts'
import { AmountField, Button, Card, Fact, Facts, Sheet } from '../../../ui/index.ts'
import { DocumentField } from '../components/document-field.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'

export interface NavSheetProps {
  product: FundProductOperated
  onSubmit: (wanted: Wanted) => void
  onClose: () => void
}

/** Asks for a unit net value with the assets attested for it; shows what it does, and lets none pass that is not backed. */
export function NavSheet({ product, onSubmit, onClose }: NavSheetProps) {
  const { t } = useTranslation()
  const [text, setText] = useState({ nav: '', assets: '' })
  const [document, setDocument] = useState('')
  const [isTried, setTried] = useState(false)
  const nav = toAmount(text.nav)
  const assets = toAmount(text.assets)
  const effect = nav === null ? null : effectOf(product, nav, assets)
  const hash = document.trim()
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(hash)
  const invalid = (value: unknown) =>
    isTried && value === null ? { error: t('admin.fund.invalid') } : undefined
  const submit = () => {
    setTried(true)
    if (nav === null || assets === null || !isHash || effect?.missing !== null) return
    onSubmit({ kind: 'nav', payload: { product_id: product.product_id, nav, assets, document_hash: hash } })
  }
  return (
    <Sheet open onClose={onClose} title={product.name}>
      <div className="flex flex-col gap-4">
        <AmountField
          label={t('admin.fund.nav')}
          unit="USDT"
          value={text.nav}
          onChange={(value) => setText({ ...text, nav: value })}
          {...(product.nav !== null && { aside: formatAmount(product.nav) })}
          {...invalid(nav)}
        />
        <AmountField
          label={t('admin.fund.assets')}
          unit="USDT"
          value={text.assets}
          onChange={(value) => setText({ ...text, assets: value })}
          {...(product.assets !== null && { aside: formatAmount(product.assets) })}
          {...invalid(assets)}
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
        <DocumentField
          value={document}
          error={isTried && !isHash ? t('admin.fund.badDocument') : undefined}
          onChange={setDocument}
        />
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
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
