import type { PriceSource } from '@rif/api-schema'
import { shortAddress, type Translate } from '../lib/index.ts'

/** Returns the source of a price in words: "Price feed exchange, approved by two people". */
export function priceSourceText(t: Translate, { kind, name, approved }: PriceSource): string {
  const shown = kind === 'oracle' ? shortAddress(name ?? '') : (name ?? '')
  const source = t(`price.from.${kind}`, { name: shown })
  return approved && kind !== 'operator' ? t('price.approved', { source }) : source
}
