import { isRevenueLabel, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { plainText, toAmount, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  type Checked,
  Fact,
  LongFact,
  MoneyFact,
  Segmented,
  Sheet,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import type { RevenueToDeposit } from '../../../wallet/revenue-deposit.ts'
import { DocumentField } from '../components/document-field.tsx'
import { CallSheet } from '../emergency/send-sheet.tsx'

const ASSETS = ['USDT', 'AMC'] as const
const EMPTY = { asset: 'USDT' as (typeof ASSETS)[number], amount: '', label: '', document: '' }

/** Pays revenue that was earned elsewhere into the bank: asks for amount, label and paper, shows the transactions, and opens the wallet. */
export function DepositSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const bank = useAppConfig()?.contracts.bank
  const [wanted, setWanted] = useState<RevenueToDeposit | null>(null)
  const { values, field, textField, submit, clear } = useDraftForm({
    name: 'deposit revenue',
    initial: EMPTY,
    check,
    text: (problem) => t(`admin.deposits.pay.${problem}`),
    recheck: true,
  })
  if (wanted !== null && bank !== undefined)
    return (
      <CallSheet
        title={t('admin.deposits.pay.title')}
        does={t('admin.deposits.pay.does')}
        bank={bank}
        refresh={['revenueDeposits']}
        leaves={<MoneyFact label={t('preview.leaves')} amount={wanted.amount} unit={wanted.asset} />}
        onSent={clear}
        onClose={onClose}
        send={async (config) => {
          const { depositRevenue } = await import('../../../wallet/revenue-deposit.ts')
          return depositRevenue(config, wanted)
        }}
      >
        <Fact label={t('admin.deposits.label')}>{wanted.label}</Fact>
        <LongFact label={t('admin.deposits.paper')}>
          <span className="font-mono text-12 wrap-anywhere">{wanted.documentHash}</span>
        </LongFact>
      </CallSheet>
    )
  return (
    <Sheet open onClose={onClose} title={t('admin.deposits.pay.title')}>
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t('admin.deposits.pay.about')}</p>
        <Segmented
          label={t('admin.treasury.asset')}
          options={ASSETS.map((value) => ({ value, label: value }))}
          {...field('asset')}
        />
        <AmountField label={t('admin.treasury.amount')} unit={values.asset} {...field('amount')} />
        <TextField
          label={t('admin.deposits.label')}
          hint={t('admin.deposits.pay.labelHint')}
          {...textField('label')}
        />
        <DocumentField {...field('document')} />
        <Button onClick={submit(({ payload }) => setWanted(payload))}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}

type Problem = 'invalidAmount' | 'badLabel' | 'badDocument'

function check(text: typeof EMPTY): Checked<typeof EMPTY, { ok: true; payload: RevenueToDeposit }, Problem> {
  const amount = toAmount(text.amount)
  const label = text.label.trim()
  const documentHash = plainText(text.document)
  const isAmount = amount !== null && parseMicros(amount) > 0n
  const isLabel = isRevenueLabel(label)
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(documentHash)
  if (isAmount && isLabel && isHash)
    return { ok: true, payload: { asset: text.asset, amount, label, documentHash } }
  return {
    ok: false,
    problems: {
      ...(!isAmount && { amount: 'invalidAmount' }),
      ...(!isLabel && { label: 'badLabel' }),
      ...(!isHash && { document: 'badDocument' }),
    },
  }
}
