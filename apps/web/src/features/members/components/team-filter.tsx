import { type ReactNode, useState } from 'react'
import { levelName, useTranslation } from '../../../lib/index.ts'
import { Button, ButtonStack, Segmented, Sheet } from '../../../ui/index.ts'

const LEVELS = ['0', '1', '2', '3', '4', '5'] as const
const YES_NO = ['true', 'false'] as const
type Level = (typeof LEVELS)[number]
type YesNo = (typeof YES_NO)[number]

/** The filters of a team's list besides side and search, as in the page's address. */
export interface TeamFilter {
  level?: Level
  valid?: YesNo
  sort?: 'oldest'
}

export interface TeamFilterSheetProps {
  open: boolean
  filter: TeamFilter
  onClose: () => void
  onApply: (filter: TeamFilter) => void
}

/** Level, validity and order of the list; nothing changes until it is applied. */
export function TeamFilterSheet(props: TeamFilterSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('team.filter')}>
      <FilterForm {...props} />
    </Sheet>
  )
}

function FilterForm({ filter, onApply }: TeamFilterSheetProps) {
  const { t } = useTranslation()
  const [level, setLevel] = useState<Level | 'all'>(filter.level ?? 'all')
  const [valid, setValid] = useState<YesNo | 'all'>(filter.valid ?? 'all')
  const [sort, setSort] = useState<'newest' | 'oldest'>(filter.sort ?? 'newest')
  const all = { value: 'all' as const, label: t('common.all') }
  return (
    <div className="flex flex-col gap-4">
      <Choice title={t('team.level')}>
        <Segmented
          label={t('team.level')}
          options={[all, ...LEVELS.map((value) => ({ value, label: levelName(t, Number(value)) }))]}
          value={level}
          onChange={setLevel}
        />
      </Choice>
      <Choice title={t('team.validity')}>
        <Segmented
          label={t('team.validity')}
          options={[all, ...YES_NO.map((value) => ({ value, label: t(`team.valid_${value}`) }))]}
          value={valid}
          onChange={setValid}
        />
      </Choice>
      <Choice title={t('team.sort')}>
        <Segmented
          label={t('team.sort')}
          options={(['newest', 'oldest'] as const).map((value) => ({ value, label: t(`team.${value}`) }))}
          value={sort}
          onChange={setSort}
        />
      </Choice>
      <ButtonStack>
        <Button
          block
          onClick={() =>
            onApply({
              ...(level !== 'all' && { level }),
              ...(valid !== 'all' && { valid }),
              ...(sort === 'oldest' && { sort }),
            })
          }
        >
          {t('team.apply')}
        </Button>
        <Button block variant="secondary" onClick={() => onApply({})}>
          {t('team.reset')}
        </Button>
      </ButtonStack>
    </div>
  )
}

function Choice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <p aria-hidden="true" className="text-14 font-medium">
        {title}
      </p>
      {children}
    </div>
  )
}
