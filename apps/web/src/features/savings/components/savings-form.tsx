import type { MoneyAsset, SavingsAccount, SavingsDirection } from '@rif/api-schema'
import { useState } from 'react'
import {
  formatAmount,
  LONG_TOAST_MS,
  redirectTo,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  buttonClass,
  Card,
  checkOf,
  Fact,
  Facts,
  Form,
  Money,
  Segmented,
  useDraftForm,
} from '../../../ui/index.ts'
import { judge, maxOf, type SavingsRequest } from '../savings-draft.ts'
import { ArrivalTime } from './arrival-time.tsx'
import { ConfirmSheet } from './confirm-sheet.tsx'

const ASSETS = ['USDT', 'AMC'] as const
const EMPTY: SavingsRequest = { asset: 'USDT', amount: '' }
const REFRESH = ['me', 'savings', 'savingsTransfers'] as const

interface SavingsFormProps {
  direction: SavingsDirection
  account: SavingsAccount
  /** What the link brought along. */
  asset: MoneyAsset | undefined
}

/** Asset and amount, with what arrives when; then the sheet with the one confirmation. */
export function SavingsForm({ direction, account, asset: given }: SavingsFormProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `savings-${direction}`,
    initial: EMPTY,
    given: given === undefined ? {} : { asset: given },
    check: (values) => checkOf('amount', judge({ direction, ...values }, account)),
    text: (problem) => t(`savings.problem.${problem}`),
  })
  const { values, checked: judged } = form
  const { asset } = values
  const [confirming, setConfirming] = useState(false)
  const send = useApiMutation(direction === 'in' ? 'savingsIn' : 'savingsOut', { refresh: REFRESH })
  const max = maxOf({ direction, asset }, account)
  const submit = (request: SavingsRequest) =>
    send.mutate(
      { body: request },
      {
        onSuccess: () => {
          form.clear()
          showToast(t(`savings.${direction}.success`), { durationMs: LONG_TOAST_MS, tone: 'good' })
          if (direction === 'in') redirectTo('/pages/savings/index')
          else redirectTo('/pages/savings/list', { show: 'leaving' })
        },
      },
    )
  return (
    <Form aria-label={t(`savings.${direction}.title`)} onSubmit={form.submit(() => setConfirming(true))}>
      <Segmented
        label={t('savings.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        {...form.field('asset')}
      />
      <AmountField
        label={t('savings.amount')}
        unit={asset}
        {...form.field('amount')}
        max={max}
        aside={t(`savings.${direction}.has`, { amount: formatAmount(max), asset })}
      />
      <Card>
        <Facts>
          <Fact label={t(`savings.${direction}.arrives`)}>
            {judged.ok ? (
              <Money amount={judged.request.amount} unit={asset} exact className="text-16 font-semibold" />
            ) : (
              <span className="text-muted">–</span>
            )}
          </Fact>
          <Fact label={t('savings.when')}>
            {judged.ok ? <ArrivalTime delayMs={judged.delayMs} /> : <span className="text-muted">–</span>}
          </Fact>
        </Facts>
      </Card>
      <button type="submit" className={buttonClass('primary', true)}>
        {t('savings.continue')}
      </button>
      {confirming && judged.ok && (
        <ConfirmSheet
          direction={direction}
          judged={judged}
          isBusy={send.isPending}
          onConfirm={() => submit(judged.request)}
          onClose={() => setConfirming(false)}
        />
      )}
    </Form>
  )
}
