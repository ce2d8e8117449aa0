import type { StatementFormat } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiFollow, formatCount, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Card,
  Chip,
  Chips,
  FormColumns,
  ListSkeleton,
  Loaded,
  Notice,
  Page,
  Section,
  Segmented,
} from '../../../ui/index.ts'
import { SharedLinks } from '../../../wallet/shares/shared-links.tsx'
import { isStatementOpen, StatementFiles } from '../../../wallet/statements/statement-files.tsx'
import { DayFields, FormatChoice } from '../../../wallet/statements/statement-form.tsx'
import {
  MONTH_PRESETS,
  type MonthPreset,
  presetDays,
  rangeProblem,
  yearDays,
} from '../../../wallet/statements/statement-range.ts'

/** Most files are made in less than a second. */
const FOLLOW_MS = 700
const TABS = ['months', 'tax', 'custom'] as const
const NEXT = { to: '/pages/rewardList/index', label: 'tabs.activity' } as const
/** The tax years that one touch chooses. */
const YEARS = 3

/** Requests statements of the account and tax files, and lists finished ones. */
export default function StatementsPage() {
  const { t } = useTranslation()
  const query = useQuery(
    apiFollow('statements', {}, ({ items }) => items.some(isStatementOpen), { everyMs: FOLLOW_MS }),
  )
  const form = useStatementForm()
  const request = useApiMutation('requestStatement', { refresh: ['statements'] })
  const limit = query.data?.open_limit
  const isFull = limit !== undefined && query.data!.items.filter(isStatementOpen).length >= limit
  return (
    <Page wide title={t('statements.title')}>
      <FormColumns
        side={
          <>
            <Loaded query={query} skeleton={<ListSkeleton rows={3} joined />}>
              {(data) => (
                <StatementFiles data={data} side="member" hint={t('statements.noneHint')} next={NEXT} />
              )}
            </Loaded>
            <p className="px-1 text-12 text-muted">{t('statements.hash')}</p>
            <SharedLinks />
          </>
        }
        action={
          <>
            {isFull && <p className="text-14 text-muted">{t('statements.full', { count: limit })}</p>}
            <Button
              block
              busy={request.isPending}
              disabled={form.request === null || isFull}
              onClick={() => form.request && request.mutate({ body: form.request })}
            >
              {t('statements.create', { format: form.format.toUpperCase() })}
            </Button>
          </>
        }
      >
        <RangeCard form={form} />
        {form.tab === 'tax' && <TaxNotes />}
        <p className="px-1 text-12 text-muted">
          {t('statements.days')}
          {form.format === 'pdf' && query.data !== undefined && (
            <> {t('statements.pdfLimit', { count: formatCount(query.data.pdf_limit) })}</>
          )}
        </p>
      </FormColumns>
    </Page>
  )
}

type StatementForm = ReturnType<typeof useStatementForm>

/** Returns the choices, and the resulting request; null while the days are invalid. */
function useStatementForm() {
  const now = new Date()
  const [tab, setTab] = useState<(typeof TABS)[number]>('months')
  const [preset, setPreset] = useState<MonthPreset>('thisMonth')
  const [year, setYear] = useState(`${now.getUTCFullYear()}`)
  const [custom, setCustom] = useState(() => presetDays('thisMonth', now))
  const [format, setFormat] = useState<StatementFormat>('pdf')
  const range = tab === 'tax' ? yearDays(year) : tab === 'months' ? presetDays(preset, now) : custom
  const kind = tab === 'tax' ? ('tax' as const) : ('account' as const)
  const request = rangeProblem(range, now) === null ? { kind, format, ...range } : null
  return {
    tab,
    setTab,
    preset,
    setPreset,
    year,
    setYear,
    custom,
    setCustom,
    format,
    setFormat,
    request,
  }
}

function RangeCard({ form }: { form: StatementForm }) {
  const { t } = useTranslation()
  return (
    // Chips that are off are as light as the card.
    <Card className="flex flex-col gap-4 [&_[aria-pressed=false]>span]:bg-sunken">
      <div className="flex flex-col gap-2">
        <p className="text-14 font-medium">{t('statements.range')}</p>
        <Segmented
          label={t('statements.range')}
          options={TABS.map((value) => ({ value, label: t(`statements.tab.${value}`) }))}
          value={form.tab}
          onChange={form.setTab}
        />
        {form.tab === 'custom' && <DayFields range={form.custom} onChange={form.setCustom} />}
        {form.tab === 'months' && (
          <Chips label={t('statements.tab.months')}>
            {MONTH_PRESETS.map((preset) => (
              <Chip key={preset} pressed={preset === form.preset} onClick={() => form.setPreset(preset)}>
                {t(`statements.preset.${preset}`)}
              </Chip>
            ))}
          </Chips>
        )}
        {form.tab === 'tax' && <Years form={form} />}
      </div>
      <FormatChoice value={form.format} onChange={form.setFormat} />
    </Card>
  )
}

function Years({ form }: { form: StatementForm }) {
  const { t } = useTranslation()
  const current = new Date().getUTCFullYear()
  return (
    <Chips label={t('statements.tab.tax')}>
      {Array.from({ length: YEARS }, (_, index) => `${current - index}`).map((year) => (
        <Chip key={year} pressed={year === form.year} onClick={() => form.setYear(year)}>
          {year === `${current}` ? t('statements.soFar', { year }) : year}
        </Chip>
      ))}
    </Chips>
  )
}

function TaxNotes() {
  const { t } = useTranslation()
  return (
    <Section title={t('statements.tab.tax')}>
      <Card className="flex flex-col gap-3 text-14">
        <p>{t('statements.tax.year')}</p>
        <p className="text-muted">{t('statements.tax.prices')}</p>
        <p className="text-muted">{t('statements.tax.method')}</p>
      </Card>
      <Notice tone="warn">{t('statements.tax.advice')}</Notice>
    </Section>
  )
}
