import type { Shared } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { formatCount, formatDay, formatExact, formatTime, useTranslation } from '../../lib/index.ts'
import { Address, Fact, Facts } from '../../ui/index.ts'
import { sizeOf, useFileName } from '../statements/file-name.ts'

const PARTS = ['usdt', 'amc', 'fund'] as const
const UNITS = { usdt: 'USDT', amc: 'AMC', fund: 'USDT' } as const

/** The data that a link shows: to its reader, and to the member before it is created. */
export function SharedFacts({ proof, statement }: Pick<Shared, 'proof' | 'statement'>) {
  return (
    <>
      {proof !== null && <ProofFacts proof={proof} />}
      {statement !== null && <StatementFacts statement={statement} />}
    </>
  )
}

function ProofFacts({ proof: { day, leaf } }: { proof: NonNullable<Shared['proof']> }) {
  const { t } = useTranslation()
  return (
    <Facts>
      <Fact label={t('shared.wallet')}>
        <Address value={leaf.address} />
      </Fact>
      <Fact label={t('shared.endOf')}>{formatDay(day)}</Fact>
      {PARTS.map((part) => (
        <Fact key={part} label={t(`heldOwed.part.${part}`)}>
          {formatExact(formatMicros(BigInt(leaf[part])))} {UNITS[part]}
        </Fact>
      ))}
    </Facts>
  )
}

function StatementFacts({ statement }: { statement: NonNullable<Shared['statement']> }) {
  const { t } = useTranslation()
  const name = useFileName(statement)
  const { entries, finished_at, file } = statement
  return (
    <Facts>
      <Fact label={t('shared.file')}>{name}</Fact>
      {entries !== null && <Fact label={t('shared.entries')}>{formatCount(entries)}</Fact>}
      {finished_at !== null && <Fact label={t('shared.madeAt')}>{formatTime(finished_at)}</Fact>}
      {file !== null && (
        <>
          <Fact label={t('shared.size')}>{sizeOf(file.size)}</Fact>
          <Fact label="SHA-256">
            <Address value={file.hash} form="head" />
          </Fact>
        </>
      )}
    </Facts>
  )
}
