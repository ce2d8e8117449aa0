import type { Attestation, ProfitCoverage, RewardClassName } from '@rif/api-schema'
import { addDays, daysBetween, formatMicros, parseMicros } from '@rif/rules'
import { formatDay, useTranslation } from '../../../lib/index.ts'
import { Address, Card, Fact, Facts, Money } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'

/** The classes in the order in which they are shown. */
export const REWARD_CLASSES = [
  'commission',
  'pairing',
  'static',
  'management',
] as const satisfies readonly RewardClassName[]

/** One day of a class; both zero if nothing was due. */
export interface CoverageDay {
  readonly day: string
  readonly value: string
  readonly paid: string
  /** The amount due and not paid; it is not owed later. */
  readonly unpaid: string
}

/** Returns every day of the range, in order, including those without amounts due. */
export function coverageDays(
  { from, to, days }: Pick<ProfitCoverage, 'from' | 'to' | 'days'>,
  name: RewardClassName,
): CoverageDay[] {
  const known = new Map(days.filter((row) => row.class === name).map((row) => [row.day, row]))
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index)
    const { value, paid } = known.get(day) ?? { value: formatMicros(0n), paid: formatMicros(0n) }
    return { day, value, paid, unpaid: formatMicros(parseMicros(value) - parseMicros(paid)) }
  })
}

/** Attested revenue: the amount, the source, and the proof. */
export function AttestationList({ attestations }: { attestations: readonly Attestation[] }) {
  const { t } = useTranslation()
  return (
    <ul className="flex flex-col gap-3">
      {attestations.map((attestation) => (
        <li key={attestation.attestation_id}>
          <Card className="flex flex-col gap-3">
            <div className="flex items-baseline justify-between gap-3">
              <Money amount={attestation.amount} unit={attestation.asset} className="text-16 font-semibold" />
              <span className="text-12 text-muted">{formatDay(attestation.day)}</span>
            </div>
            <Facts>
              <Fact label={t('rewards.attestation.source')}>{attestation.source}</Fact>
              <Fact label={t('rewards.attestation.pool')}>{t(`rewards.pool.${attestation.pool}`)}</Fact>
              <Fact label={t('rewards.attestation.document')}>
                <Address value={attestation.document_hash} />
              </Fact>
              {attestation.tx_hash !== null && (
                <Fact label={t('rewards.attestation.tx')}>
                  <TxHash value={attestation.tx_hash} />
                </Fact>
              )}
            </Facts>
          </Card>
        </li>
      ))}
    </ul>
  )
}
