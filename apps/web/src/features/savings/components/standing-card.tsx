import type { MoneyAsset, StandingSavings, StandingSavingsBody } from '@rif/api-schema'
import { dayOf, nextStandingDay, STANDING_DAYS, STANDING_PERIODS, type StandingPeriod } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  apiQuery,
  formatDay,
  showToast,
  type Translate,
  toAmount,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  ASSET_OPTIONS,
  Button,
  Card,
  checkOf,
  Fact,
  Facts,
  FieldFrame,
  Form,
  inputBoxClass,
  isDrafted,
  Loaded,
  Money,
  Notice,
  Section,
  Segmented,
  Sheet,
  SheetDock,
  Skeleton,
  StopWaiting,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'

/** The member's standing transfers into savings, and the buttons to create, change or end one. */
export function StandingCard() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('savingsStanding'))
  const [edited, setEdited] = useState<MoneyAsset | null>(
    () => ASSET_OPTIONS.find(({ value }) => isDrafted(draftOf(value)))?.value ?? null,
  )
  return (
    <Section title={t('savings.standing.title')}>
      <Card className="flex flex-col gap-3">
        <Loaded query={query} skeleton={<Skeleton className="h-24" />}>
          {({ items }) => {
            const free = ASSET_OPTIONS.find(({ value }) => items.every(({ asset }) => asset !== value))
            return (
              <>
                {items.length === 0 && <p className="text-14 text-muted">{t('savings.standing.about')}</p>}
                <ul className="divide-y divide-line empty:hidden">
                  {items.map((standing) => (
                    <StandingRow
                      key={standing.asset}
                      standing={standing}
                      onEdit={() => setEdited(standing.asset)}
                    />
                  ))}
                </ul>
                {free !== undefined && (
                  <Button variant="secondary" onClick={() => setEdited(free.value)}>
                    {t('savings.standing.add')}
                  </Button>
                )}
                {edited !== null && (
                  <StandingSheet
                    former={items.find(({ asset }) => asset === edited) ?? null}
                    edited={edited}
                    onClose={() => setEdited(null)}
                  />
                )}
              </>
            )
          }}
        </Loaded>
      </Card>
    </Section>
  )
}

/** Returns a rhythm in words: "every Monday", "on day 5 of each month". */
function rhythmText(every: StandingPeriod, onDay: number, t: Translate): string {
  return t(`savings.standing.rhythm.${every}`, { day: onDay, weekday: weekday(onDay, t) })
}

/** Returns the name of a day of the week, 1 (Monday) to 7. */
const weekday = (onDay: number, t: Translate) => t('savings.standing.weekday', { day: `${onDay}` })

function StandingRow({ standing, onEdit }: { standing: StandingSavings; onEdit: () => void }) {
  const { t } = useTranslation()
  const { asset, amount, every, on_day, next_day, last_day, last_outcome } = standing
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <Money own amount={amount} unit={asset} exact /> · {rhythmText(every, on_day, t)}
        </p>
        <p className="text-12 text-muted">{t('savings.standing.next', { day: formatDay(next_day) })}</p>
        {last_day !== null && last_outcome !== null && (
          <p className={last_outcome === 'moved' ? 'text-12 text-muted' : 'text-12 text-warn'}>
            {t(`savings.standing.last_${last_outcome}`, { day: formatDay(last_day) })}
          </p>
        )}
      </div>
      <Button variant="secondary" onClick={onEdit}>
        {t('savings.standing.change')}
        <span className="sr-only"> {asset}</span>
      </Button>
    </li>
  )
}

const REFRESH = ['savingsStanding'] as const
const draftOf = (asset: MoneyAsset) => `standing-${asset}`

interface StandingDraft {
  asset: MoneyAsset
  /** A plain decimal from `AmountField`, or empty. */
  amount: string
  every: StandingPeriod
  onDay: number
}

type JudgedStanding =
  | { ok: true; body: StandingSavingsBody }
  | { ok: false; problem: 'amountRequired' | 'amountInvalid' }

function judgeStanding({ asset, amount: typed, every, onDay }: StandingDraft): JudgedStanding {
  const amount = toAmount(typed)
  if (amount === null) return { ok: false, problem: typed === '' ? 'amountRequired' : 'amountInvalid' }
  return { ok: true, body: { asset, amount, every, on_day: onDay } }
}

interface StandingSheetProps {
  edited: MoneyAsset
  /** The standing transfer of the asset; null for a new one. */
  former: StandingSavings | null
  onClose: () => void
}

function StandingSheet({ edited, former, onClose }: StandingSheetProps) {
  const { t } = useTranslation()
  const taken = useQuery(apiQuery('savingsStanding')).data?.items.map(({ asset }) => asset) ?? []
  const initial: StandingDraft = {
    asset: edited,
    amount: former?.amount ?? '',
    every: former?.every ?? 'month',
    onDay: former?.on_day ?? 1,
  }
  const form = useDraftForm({
    name: draftOf(edited),
    inSheet: true,
    initial,
    check: (values) => checkOf('amount', judgeStanding(values)),
    text: (problem) => t(`savings.problem.${problem}`),
  })
  const { asset, every, onDay } = form.values
  const save = useSignedMutation('savingsStandingSet', { refresh: REFRESH })
  const end = useApiMutation('savingsStandingEnd', { refresh: REFRESH })
  const done = (text: string) => () => {
    showToast(text, { tone: 'good' })
    onClose()
  }
  const submit = ({ asset: of, amount, every: rhythm, on_day }: StandingSavingsBody) => {
    const wish = { kind: 'standing_savings', asset: of, amount, every: rhythm, onDay: on_day } as const
    const body = { asset: of, amount, every: rhythm, on_day }
    save.send({ body, wish, needed: true }, done(t('savings.standing.saved')))
  }
  const first = nextStandingDay(every, onDay, dayOf(Date.now()))
  return (
    <Sheet open onClose={onClose} title={t('savings.standing.sheet')}>
      <Form className="gap-5 pt-2" onSubmit={form.submit(({ body }) => submit(body))}>
        {former === null && (
          <Segmented
            label={t('savings.asset')}
            options={ASSET_OPTIONS.filter(({ value }) => !taken.includes(value))}
            {...form.field('asset')}
          />
        )}
        <AmountField label={t('savings.amount')} unit={asset} {...form.field('amount')} />
        <Segmented
          label={t('savings.standing.every')}
          options={STANDING_PERIODS.map((value) => ({ value, label: t(`savings.standing.period.${value}`) }))}
          value={every}
          onChange={(value) => form.set({ every: value, onDay: 1 })}
        />
        {every !== 'day' && (
          <DayField every={every} value={onDay} onChange={(value) => form.set({ onDay: value })} />
        )}
        <Facts>
          <Fact label={t('savings.standing.first')}>{formatDay(first)}</Fact>
        </Facts>
        <Notice>{t('savings.standing.rule')}</Notice>
        <SheetDock>
          <Button type="submit" block busy={save.isPending}>
            {t('savings.standing.save')}
          </Button>
          <StopWaiting />
          {former !== null && (
            <Button
              variant="secondary"
              block
              busy={end.isPending}
              onClick={() =>
                end.mutate({ body: { asset } }, { onSuccess: done(t('savings.standing.ended')) })
              }
            >
              {t('savings.standing.end')}
            </Button>
          )}
        </SheetDock>
      </Form>
    </Sheet>
  )
}

interface DayFieldProps {
  every: 'week' | 'month'
  value: number
  onChange: (day: number) => void
}

/** The day of the week or of the month, with the device's own picker. */
function DayField({ every, value, onChange }: DayFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const days = Array.from({ length: STANDING_DAYS[every] }, (_, index) => index + 1)
  return (
    <FieldFrame id={id} label={t(`savings.standing.day.${every}`)}>
      <div className={inputBoxClass(false)}>
        <select
          id={id}
          className="min-h-11 flex-1 bg-transparent text-16 outline-none"
          value={value}
          onChange={({ target }) => onChange(Number(target.value))}
        >
          {days.map((day) => (
            <option key={day} value={day} className="bg-card text-ink">
              {every === 'week' ? weekday(day, t) : day}
            </option>
          ))}
        </select>
      </div>
    </FieldFrame>
  )
}
