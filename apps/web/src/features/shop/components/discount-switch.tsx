import { formatAmount, formatPpm, isZero, useAppConfig, useTranslation } from '../../../lib/index.ts'
import { Card, Switch } from '../../../ui/index.ts'

export interface DiscountSwitchProps {
  /** The member's available RIF. */
  rif: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Whether a part of the price is paid with RIF; not there for who has none. Rules, section 4. */
export function DiscountSwitch({ rif, checked, onChange }: DiscountSwitchProps) {
  const { t } = useTranslation()
  const config = useAppConfig()
  if (config === undefined || isZero(rif)) return null
  const hint = t('shop.discount.hint', {
    percent: formatPpm(config.use_hash_rate_percent),
    amount: formatAmount(rif),
  })
  return (
    <Card>
      <Switch label={t('shop.discount.label')} hint={hint} checked={checked} onChange={onChange} />
    </Card>
  )
}
