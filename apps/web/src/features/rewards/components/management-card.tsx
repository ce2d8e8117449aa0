import type { Management } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatDay,
  formatPpm,
  isZero,
  LONG_TOAST_MS,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { Button, Card, Fact, Facts, Money, Pill, Section, Term } from '../../../ui/index.ts'

/**
 * The management award: rank and base, the prospective payment, and pausing it for more at the next rank.
 * Rules, section 5.5.
 */
export function ManagementCard() {
  const { t } = useTranslation()
  const award = useQuery(apiQuery('management')).data
  if (award === undefined) return null
  const { next } = award
  return (
    <Section title={t('rewards.management.title')}>
      <Card className="flex flex-col gap-4">
        <div className="flex items-center justify-between gap-3">
          <p className="text-20 font-semibold">
            {award.rank === 0
              ? t('rewards.management.noRank')
              : t('rewards.management.rank', { rank: award.rank })}
          </p>
          <span role="status">
            <Pill tone={award.paused ? 'warn' : 'good'}>
              {award.paused ? t('rewards.management.paused') : t('rewards.management.running')}
            </Pill>
          </span>
        </div>
        <Facts>
          <Fact label={t('rewards.management.base')}>
            <Money own amount={award.base} unit="USDT" />
          </Fact>
          {award.rank > 0 && (
            <Fact label={t('rewards.management.now', { rate: formatPpm(award.ratio_ppm) })}>
              <Money own amount={award.value} unit="USDT" />
            </Fact>
          )}
          {next !== null && (
            <Fact label={t('rewards.management.next', { rank: next.rank })}>
              {t('rewards.management.nextValue', {
                from: formatAmount(next.from),
                rate: formatPpm(next.ratio_ppm),
              })}
            </Fact>
          )}
          {!award.paused && (
            <Fact label={<Term name="settlement">{t('rewards.management.settles')}</Term>}>
              {formatDay(award.settles_on)}
            </Fact>
          )}
        </Facts>
        <Switch award={award} />
        <p className="text-12 text-muted">{t('rewards.management.hint')}</p>
      </Card>
    </Section>
  )
}

/** Pauses or resumes, after a prompt that explains the consequences. */
function Switch({ award }: { award: Management }) {
  const { t } = useTranslation()
  const set = useApiMutation('setManagement', { refresh: ['management', 'me'] })
  const action = award.paused ? 'resume' : 'pause'
  const ask = async () => {
    const base = formatAmount(award.base)
    const confirmed = await showModal({
      title: t(`rewards.management.${action}.title`),
      content: isZero(award.base)
        ? t(`rewards.management.${action}.textNoBase`)
        : t(`rewards.management.${action}.text`, { base, day: formatDay(award.settles_on) }),
      confirmText: t(`rewards.management.${action}.confirm`),
      cancelText: t('common.cancel'),
    })
    if (!confirmed) return
    const done = t(`rewards.management.${action}.done`)
    set.mutate(
      { body: { action } },
      { onSuccess: () => showToast(done, { durationMs: LONG_TOAST_MS, tone: 'good' }) },
    )
  }
  return (
    <Button variant="secondary" moves="agreed" block busy={set.isPending} onClick={() => void ask()}>
      {t(`rewards.management.${action}.button`)}
    </Button>
  )
}
