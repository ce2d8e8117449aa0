import type { FundDesk } from '@rif/api-schema'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { AmountField } from '../../../ui/index.ts'
import { lineKey, valuedLines } from './fund-drafts.ts'

interface LineFieldsProps {
  desk: FundDesk
  names: ReadonlyMap<string, string>
  field: (key: `line/${string}`) => {
    value: string | undefined
    error: string | undefined
    onChange: (value: string) => void
  }
}

/** Asks for the value of each investment. */
export function LineFields({ desk, names, field }: LineFieldsProps) {
  const { t } = useTranslation()
  return valuedLines(desk).map(({ investment_id, value }) => {
    const { value: typed = '', ...props } = field(lineKey(investment_id))
    return (
      <AmountField
        key={investment_id}
        label={t('admin.desk.worthNow', { name: names.get(investment_id)! })}
        unit="USDT"
        aside={
          <span className="whitespace-nowrap">
            {t('admin.desk.lastWorth', { value: formatAmount(value) })}
          </span>
        }
        value={typed}
        {...props}
      />
    )
  })
}
