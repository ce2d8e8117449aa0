import type { AttestedPool, FundProductOperated, RevenueDeposit } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, useTranslation } from '../../../lib/index.ts'
import { Button, type Checked, Notice, Segmented, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { DocumentField } from '../components/document-field.tsx'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'

const POOLS = ['yield_pool', 'savings_pool', 'dividend_pool', 'fund_proceeds'] as const
/** Money for a fund's gains is USDT. Rules, section 8. */
const AMC_POOLS = POOLS.filter((pool) => pool !== 'fund_proceeds')
const MAX_SOURCE = 200
const EMPTY = { pool: 'yield_pool' as AttestedPool, product: '', source: '', document: '' }

export interface AttestSheetProps {
  deposit: RevenueDeposit
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks which pool a deposit enters, where the money came from, and for the very paper whose hash the deposit carries. */
export function AttestSheet({ deposit, onSubmit, onClose }: AttestSheetProps) {
  const { t } = useTranslation()
  const { values, field, textField, submit, clear } = useDraftForm({
    name: `attest ${deposit.deposit_id}`,
    initial: EMPTY,
    check: (text) => checkAttestation(text, deposit, productOf(text, products)),
    text: (problem) => t(`admin.deposits.${problem}`),
    recheck: true,
  })
  const isFund = values.pool === 'fund_proceeds'
  const products: Products = useQuery({ ...apiQuery('adminFundProducts'), enabled: isFund }).data?.items
  const product = productOf(values, products)
  const document = field('document')
  const isPaper = isPaperOf(deposit, document.value)
  return (
    <Sheet open onClose={onClose} title={`${formatAmount(deposit.amount)} ${deposit.asset}`}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('admin.deposits.into')}
          options={(deposit.asset === 'AMC' ? AMC_POOLS : POOLS).map((value) => ({
            value,
            label: t(`admin.deposits.pool.${value}`),
          }))}
          {...field('pool')}
        />
        <p className="text-14 text-muted">{t(`admin.deposits.about.${values.pool}`)}</p>
        {isFund && products?.length === 0 && <Notice tone="warn">{t('admin.fund.none')}</Notice>}
        {isFund && product !== undefined && (
          <Segmented
            label={t('admin.area.updateFound')}
            options={products!.map(({ product_id, name }) => ({ value: product_id, label: name }))}
            value={product.product_id}
            onChange={field('product').onChange}
          />
        )}
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

type Products = readonly FundProductOperated[] | undefined

/** Returns the chosen product of the fund, or its first one. */
const productOf = ({ product }: typeof EMPTY, products: Products) =>
  products?.find(({ product_id }) => product_id === product) ?? products?.[0]

const isPaperOf = ({ document_hash }: RevenueDeposit, text: string) =>
  text.trim().toLowerCase() === document_hash.toLowerCase()

type Attestation = { ok: true; payload: PayloadOf<'attestation'> }

function checkAttestation(
  { pool, source, document }: typeof EMPTY,
  deposit: RevenueDeposit,
  product: FundProductOperated | undefined,
): Checked<typeof EMPTY, Attestation, 'noSource' | 'otherPaper'> {
  const isFund = pool === 'fund_proceeds'
  const isPaper = isPaperOf(deposit, document)
  if (!isPaper || source.trim() === '' || (isFund && product === undefined))
    return {
      ok: false,
      problems: {
        ...(source.trim() === '' && { source: 'noSource' }),
        ...(!isPaper && { document: 'otherPaper' }),
        // Shown as a notice.
        ...(isFund && product === undefined && { product: 'otherPaper' }),
      },
    }
  const { asset, amount, document_hash, deposit_id } = deposit
  return {
    ok: true,
    payload: {
      ...{ pool, asset, amount, source: source.trim(), document_hash, deposit_id },
      ...(isFund && product !== undefined && { product_id: product.product_id }),
    },
  }
}
