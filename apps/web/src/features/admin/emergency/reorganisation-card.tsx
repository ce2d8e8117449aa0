import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Button, Card, Fact, Facts, ListSkeleton, Loaded, Money, Pill, Section } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { useMay } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'

const TONES = { none: 'good', undoing: 'warn', halted: 'bad' } as const

/** Shows the effects of reorganisations on the books, and a recovery to propose. */
export function ReorganisationCard({ onWant }: { onWant: (wanted: Wanted) => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery({ ...apiQuery('reorganisation'), refetchInterval: WATCH_MS })
  return (
    <Section title={t('admin.reorganisation.title')}>
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />}>
        {({ state, recovery, undone, debts, shortfall }) => (
          <Card className="flex flex-col gap-3">
            <p className="flex flex-wrap items-start justify-between gap-3 sm:flex-nowrap">
              <span className="text-14 text-muted">{t('admin.reorganisation.about')}</span>
              <Pill tone={TONES[state]}>{t(`admin.reorganisation.state.${state}`)}</Pill>
            </p>
            {recovery !== null && (
              <>
                <p className="text-14">
                  {t('admin.reorganisation.found', {
                    events: `${recovery.events}`,
                    postings: `${recovery.postings}`,
                  })}
                </p>
                {may('operator') && (
                  <Button
                    variant="secondary"
                    onClick={() =>
                      onWant({ kind: 'recovery', payload: { recovery_id: recovery.recovery_id } })
                    }
                  >
                    {t('admin.reorganisation.propose')}
                  </Button>
                )}
              </>
            )}
            <Facts>
              <Fact label={t('admin.reorganisation.shortfall')}>
                <span className="flex flex-col">
                  <Money amount={shortfall.USDT} unit="USDT" />
                  <Money amount={shortfall.AMC} unit="AMC" />
                </span>
              </Fact>
              {debts.map(({ member_id, asset, amount }) => (
                <Fact
                  key={`${member_id} ${asset}`}
                  label={`${t('admin.reorganisation.debts')}: ${t('admin.reorganisation.member', { id: member_id })}`}
                >
                  <Money amount={amount} unit={asset} />
                </Fact>
              ))}
              {undone.map(({ name, tx_hash, outcome, at }) => (
                <Fact key={`${tx_hash} ${at}`} label={t(`admin.reorganisation.outcome.${outcome}`)}>
                  <span className="flex flex-col items-end">
                    <span>
                      {name} · <UtcTime value={at} />
                    </span>
                    <TxHash value={tx_hash} />
                  </span>
                </Fact>
              ))}
            </Facts>
          </Card>
        )}
      </Loaded>
    </Section>
  )
}
