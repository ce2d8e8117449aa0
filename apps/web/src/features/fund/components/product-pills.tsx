import type { FundProduct } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Pill, type Tone } from '../../../ui/index.ts'

const RISK_TONES: readonly Tone[] = ['good', 'good', 'info', 'warn', 'bad']

/** How risky a product is, from 1 to 5. */
export function RiskPill({ level }: { level: number }) {
  const { t } = useTranslation()
  return (
    <Pill tone={RISK_TONES[level - 1] ?? 'neutral'}>
      {t('fund.risk.level', { level, name: t(`fund.risk.name.${level as 1 | 2 | 3 | 4 | 5}`) })}
    </Pill>
  )
}

/** What keeps a product from being bought, in a word; nothing while it can be. */
export function ProductState({ product }: { product: Pick<FundProduct, 'state' | 'nav_stale'> }) {
  const { t } = useTranslation()
  if (product.state === 'closed') return <Pill>{t('fund.product.closed')}</Pill>
  return product.nav_stale ? <Pill tone="warn">{t('fund.stale.pill')}</Pill> : null
}
