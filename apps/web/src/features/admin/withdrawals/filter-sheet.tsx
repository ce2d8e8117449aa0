import { riskReason } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Chip, Chips, Sheet, TextField } from '../../../ui/index.ts'
import type { HeldFilters } from './held-filters.ts'

interface FilterSheetProps {
  filters: HeldFilters
  onChange: (filters: HeldFilters) => void
  onReset: () => void
  onClose: () => void
}

/** The filters by sort, asset, risk, amount, day and order. Each takes effect at once. */
export function FilterSheet({ filters, onChange, onReset, onClose }: FilterSheetProps) {
  const { t } = useTranslation()
  const set = (change: Partial<HeldFilters>) => onChange({ ...filters, ...change })
  const all = t('desk.filter.all')
  return (
    <Sheet open onClose={onClose} title={t('desk.filter.label')}>
      <div className="flex flex-col gap-4">
        <Choice
          label={t('desk.filter.sort')}
          value={filters.is}
          options={[
            ['all', all],
            ['withdrawal', t('desk.filter.withdrawals')],
            ['transfer', t('desk.filter.transfers')],
          ]}
          onChange={(is) => set({ is })}
        />
        <Choice
          label={t('desk.filter.asset')}
          value={filters.asset}
          options={[
            ['all', all],
            ['USDT', 'USDT'],
            ['AMC', 'AMC'],
          ]}
          onChange={(asset) => set({ asset })}
        />
        <Choice
          label={t('desk.held.why')}
          value={filters.risk}
          options={[
            [null, all],
            ...riskReason.options.map((reason) => [reason, t(`admin.risk.${reason}`)] as const),
          ]}
          onChange={(risk) => set({ risk })}
        />
        <Choice
          label={t('desk.filter.order')}
          value={filters.order}
          options={[
            ['oldest', t('desk.filter.oldest')],
            ['newest', t('desk.filter.newest')],
            ['largest', t('desk.filter.largest')],
          ]}
          onChange={(order) => set({ order })}
        />
        <TextField
          label={t('desk.filter.least')}
          inputMode="decimal"
          maxLength={19}
          value={filters.least}
          onChange={({ target }) => set({ least: target.value.replace(/[^0-9.]/g, '') })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('desk.filter.from')}
            type="date"
            value={filters.from}
            onChange={({ target }) => set({ from: target.value })}
          />
          <TextField
            label={t('desk.filter.to')}
            type="date"
            value={filters.to}
            onChange={({ target }) => set({ to: target.value })}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button className="flex-1" variant="secondary" onClick={onReset}>
            {t('desk.filter.reset')}
          </Button>
          <Button className="flex-1" onClick={onClose}>
            {t('desk.filter.show')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}

interface ChoiceProps<T> {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChange: (value: T) => void
}

function Choice<T extends string | null>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <div>
      <p className="pb-1 text-14 font-medium">{label}</p>
      <Chips label={label}>
        {options.map(([option, text]) => (
          <Chip key={option} pressed={option === value} onClick={() => onChange(option)}>
            {text}
          </Chip>
        ))}
      </Chips>
    </div>
  )
}
