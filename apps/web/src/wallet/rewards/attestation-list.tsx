import type { Attestation } from '@rif/api-schema'
import { formatDay, useTranslation } from '../../lib/index.ts'
import { Address, Card, Fact, Facts, Money } from '../../ui/index.ts'
import { TxHash } from '../contract-facts.tsx'

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
