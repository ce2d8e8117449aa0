import type { DisplayRate } from '@rif/api-schema'
import { dayOf, RATE_HIDDEN_DAYS, RATE_OLD_DAYS, rateAge } from '@rif/rules'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, apiWatchedList, formatDay, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import {
  Button,
  currencyName,
  DataTable,
  InfiniteList,
  ListSkeleton,
  Loaded,
  Pill,
  rateText,
  Sheet,
  type Tone,
} from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { RateSheet } from './rate-sheet.tsx'

const TONES = { current: 'good', old: 'warn', hidden: 'bad' } as const satisfies Record<string, Tone>

/** The rates for members' second currency: the current ones, their history, and proposals of new ones. */
export function RatesPanel({ want }: { want: (wanted: Wanted, onDone?: () => void) => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery({ ...apiQuery('displayRates'), refetchInterval: WATCH_MS })
  const [proposed, setProposed] = useState<DisplayRate | 'new' | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const title = t('adminRates.title')
  return (
    <Panel title={title}>
      <p className="text-12 text-muted">
        {t('adminRates.hint', { old: RATE_OLD_DAYS, hidden: RATE_HIDDEN_DAYS })}
      </p>
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-14 text-muted">{t('adminRates.none')}</p>
          ) : (
            <DataTable
              stacks
              caption={title}
              words={[2, 3, 4, 5]}
              head={[
                t('adminRates.currency'),
                '1 USDT',
                t('adminRates.day'),
                t('adminRates.source'),
                t('admin.prices.state'),
                t('adminRates.actions'),
              ]}
              rows={items.map((rate) => ({
                key: rate.currency,
                cells: [
                  <span key="name" title={currencyName(rate.currency)}>
                    {rate.currency}
                  </span>,
                  rateText(rate),
                  formatDay(rate.day),
                  rate.source,
                  <Age key="age" rate={rate} />,
                  <Actions
                    key="actions"
                    currency={rate.currency}
                    mayPropose={may('operator')}
                    onChange={() => setProposed(rate)}
                    onWithdraw={() =>
                      want({ kind: 'display_rate', payload: { currency: rate.currency, published: null } })
                    }
                    onHistory={() => setShown(rate.currency)}
                  />,
                ],
              }))}
            />
          )
        }
      </Loaded>
      {may('operator') && (
        <span className="sm:self-start">
          <Button variant="secondary" onClick={() => setProposed('new')}>
            {t('adminRates.propose')}
          </Button>
        </span>
      )}
      {proposed !== null && (
        <RateSheet
          last={proposed === 'new' ? null : proposed}
          rates={query.data?.items ?? []}
          onSubmit={(wanted, onDone) => {
            setProposed(null)
            want(wanted, onDone)
          }}
          onClose={() => setProposed(null)}
        />
      )}
      {shown !== null && <History currency={shown} onClose={() => setShown(null)} />}
    </Panel>
  )
}

function Age({ rate }: { rate: DisplayRate }) {
  const { t } = useTranslation()
  const age = rateAge(rate.day, dayOf(Date.now()))
  return <Pill tone={TONES[age]}>{t(`adminRates.age.${age}`)}</Pill>
}

interface ActionsProps {
  currency: string
  mayPropose: boolean
  onChange: () => void
  onWithdraw: () => void
  onHistory: () => void
}

/**
 * The operator's actions on a currency. The names of the buttons contain its code, so that they are unique.
 */
function Actions({ currency, mayPropose, onChange, onWithdraw, onHistory }: ActionsProps) {
  const { t } = useTranslation()
  const actions = [
    ...(mayPropose
      ? ([
          ['adminRates.change', onChange],
          ['adminRates.withdraw', onWithdraw],
        ] as const)
      : []),
    ['adminRates.history', onHistory] as const,
  ]
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1 max-sm:justify-end">
      {actions.map(([name, onClick]) => (
        <button
          key={name}
          type="button"
          aria-label={`${t(name)}: ${currency}`}
          className="touch-line font-medium text-accent"
          onClick={onClick}
        >
          {t(name)}
        </button>
      ))}
    </span>
  )
}

const HISTORY_PAGE = 20

function History({ currency, onClose }: { currency: string; onClose: () => void }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('rateHistory', { query: { currency, limit: HISTORY_PAGE } }))
  return (
    <Sheet open onClose={onClose} title={t('adminRates.historyOf', { currency })}>
      <InfiniteList
        label={t('adminRates.historyOf', { currency })}
        query={query}
        keyOf={({ rate_id }) => rate_id}
        empty={<p className="text-14 text-muted">{t('adminRates.none')}</p>}
        render={({ rate, day, source, published_at: at }) => (
          <div className="flex items-start justify-between gap-3 py-3 text-14">
            <span className="flex min-w-0 flex-col">
              <span className="wrap-anywhere">{source ?? t('adminRates.withdrawn')}</span>
              <span className="text-12 text-muted">
                {t('adminRates.publishedAt')} <UtcTime value={at} />
              </span>
            </span>
            {rate !== null && day !== null && (
              <span className="text-right">
                <span className="block whitespace-nowrap font-semibold tabular-nums">
                  {rateText({ currency, rate })}
                </span>
                <span className="block text-12 text-muted">{formatDay(day)}</span>
              </span>
            )}
          </div>
        )}
      />
    </Sheet>
  )
}
