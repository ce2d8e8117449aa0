import type { AttestedPool, RevenueDeposit } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { apiQuery } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Notice } from '../../../ui/states.tsx'
import { DocumentField } from '../components/document-field.tsx'
import type { Wanted } from '../proposals/prepare-sheet.tsx'

const POOLS = ['yield_pool', 'savings_pool', 'dividend_pool', 'fund_proceeds'] as const
/** Money for a fund's gains is USDT. Rules, section 8. */
const AMC_POOLS = POOLS.filter((pool) => pool !== 'fund_proceeds')
const MAX_SOURCE = 200

export interface AttestSheetProps {
  deposit: RevenueDeposit
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks which pool a deposit enters, where the money came from, and for the very paper whose hash the deposit carries. */
export function AttestSheet({ deposit, onSubmit, onClose }: AttestSheetProps) {
  const { t } = useTranslation()
  const { draft, change, clear } = useDraft(`attest ${deposit.deposit_id}`, {
    ...{ pool: 'yield_pool' as AttestedPool, product: '', source: '', document: '' },
  })
  const [isTried, setTried] = useState(false)
  const isFund = draft.pool === 'fund_proceeds'
  const products = useQuery({ ...apiQuery('adminFundProducts'), enabled: isFund }).data?.items
  const product = products?.find(({ product_id }) => product_id === draft.product) ?? products?.[0]
  const isPaper = draft.document.trim().toLowerCase() === deposit.document_hash.toLowerCase()
  const isSourceTold = draft.source.trim() !== ''
  const submit = () => {
    setTried(true)
    if (!isPaper || !isSourceTold || (isFund && product === undefined)) return
    const payload = {
      ...{ pool: draft.pool, asset: deposit.asset, amount: deposit.amount, source: draft.source.trim() },
      ...{ document_hash: deposit.document_hash, deposit_id: deposit.deposit_id },
      ...(isFund && { product_id: product!.product_id }),
    }
    onSubmit({ kind: 'attestation', payload }, clear)
  }
  return (
    <Sheet open onClose={onClose} title={`${formatAmount(deposit.amount)} ${deposit.asset}`}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('admin.deposits.into')}
          options={(deposit.asset === 'AMC' ? AMC_POOLS : POOLS).map((value) => ({
            value,
            label: t(`admin.deposits.pool.${value}`),
          }))}
          value={draft.pool}
          onChange={(pool) => change({ ...draft, pool })}
        />
        <p className="text-14 text-muted">{t(`admin.deposits.about.${draft.pool}`)}</p>
        {isFund && products?.length === 0 && <Notice tone="warn">{t('admin.fund.none')}</Notice>}
        {isFund && product !== undefined && (
          <Segmented
            label={t('admin.area.updateFound')}
            options={products!.map(({ product_id, name }) => ({ value: product_id, label: name }))}
            value={product.product_id}
            onChange={(id) => change({ ...draft, product: id })}
          />
        )}
        <TextField
          label={t('admin.deposits.source')}
          hint={t('admin.deposits.sourceHint')}
          error={isTried && !isSourceTold ? t('admin.deposits.noSource') : undefined}
          maxLength={MAX_SOURCE}
          value={draft.source}
          onChange={(event) => change({ ...draft, source: event.target.value })}
        />
        <DocumentField
          value={draft.document}
          error={
            !isPaper && (isTried || draft.document.trim() !== '') ? t('admin.deposits.otherPaper') : undefined
          }
          hint={isPaper ? t('admin.deposits.paperFits') : t('admin.deposits.paperHint')}
          onChange={(document) => change({ ...draft, document })}
        />
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}
