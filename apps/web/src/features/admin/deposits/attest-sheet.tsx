import type { AttestedPool, RevenueDeposit } from '@rif/api-schema'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { Button, type Checked, Segmented, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { DocumentField } from '../components/document-field.tsx'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'

const POOLS = ['yield_pool', 'savings_pool', 'dividend_pool'] as const
const MAX_SOURCE = 200
const EMPTY = { pool: 'yield_pool' as AttestedPool, source: '', document: '' }

export interface AttestSheetProps {
  deposit: RevenueDeposit
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/**
 * Asks for the pool of a deposit, the source of the money, and the document whose hash the deposit contains.
 */
export function AttestSheet({ deposit, onSubmit, onClose }: AttestSheetProps) {
  const { t } = useTranslation()
  const { values, field, textField, submit, clear } = useDraftForm({
    name: `attest ${deposit.deposit_id}`,
    initial: EMPTY,
    check: (text) => checkAttestation(text, deposit),
    text: (problem) => t(`admin.deposits.${problem}`),
    recheck: true,
  })
  const document = field('document')
  const isPaper = isPaperOf(deposit, document.value)
  return (
    <Sheet open onClose={onClose} title={`${formatAmount(deposit.amount)} ${deposit.asset}`}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('admin.deposits.into')}
          options={POOLS.map((value) => ({
            value,
            label: t(`admin.deposits.pool.${value}`),
          }))}
          {...field('pool')}
        />
        <p className="text-14 text-muted">{t(`admin.deposits.about.${values.pool}`)}</p>
        <TextField
          label={t('admin.deposits.source')}
          hint={t('admin.deposits.sourceHint')}
          maxLength={MAX_SOURCE}
          {...textField('source')}
        />
        <DocumentField
          {...document}
          error={!isPaper && document.value.trim() !== '' ? t('admin.deposits.otherPaper') : document.error}
          hint={isPaper ? t('admin.deposits.paperFits') : t('admin.deposits.paperHint')}
        />
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'attestation', payload }, clear))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

const isPaperOf = ({ document_hash }: RevenueDeposit, text: string) =>
  text.trim().toLowerCase() === document_hash.toLowerCase()

type Attestation = { ok: true; payload: PayloadOf<'attestation'> }

function checkAttestation(
  { pool, source, document }: typeof EMPTY,
  deposit: RevenueDeposit,
): Checked<typeof EMPTY, Attestation, 'noSource' | 'otherPaper'> {
  const isPaper = isPaperOf(deposit, document)
  if (!isPaper || source.trim() === '')
    return {
      ok: false,
      problems: {
        ...(source.trim() === '' && { source: 'noSource' }),
        ...(!isPaper && { document: 'otherPaper' }),
      },
    }
  const { asset, amount, document_hash, deposit_id } = deposit
  return {
    ok: true,
    payload: { pool, asset, amount, source: source.trim(), document_hash, deposit_id },
  }
}
