import type { MoneyAsset, SavingsAccount, SavingsDirection } from '@rif/api-schema'
import { type FormEvent, useState } from 'react'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { redirectTo } from '../../../lib/navigation.ts'
import { LONG_TOAST_MS, showToast } from '../../../lib/overlays.ts'
import { useApiMutation } from '../../../lib/queries.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Card, Fact, Facts } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { type JudgedSavings, judge, maxOf, type SavingsDraft, type SavingsProblem } from '../savings-draft.ts'
import { ArrivalTime } from './arrival-time.tsx'
import { ConfirmSheet } from './confirm-sheet.tsx'

const ASSETS = ['USDT', 'AMC'] as const
const REFRESH = ['me', 'savings', 'savingsTransfers'] as const

interface SavingsFormProps {
  direction: SavingsDirection
  account: SavingsAccount
  /** What the link brought along. */
  asset: MoneyAsset | undefined
}

/** Asset and amount, with what arrives when; then the sheet with the one confirmation. */
export function SavingsForm({ direction, account, asset }: SavingsFormProps) {
  const { t } = useTranslation()
  const {
    draft: typed,
    change: setDraft,
    clear,
  } = useDraft<Omit<SavingsDraft, 'direction'>>(
    `savings-${direction}`,
    { asset: 'USDT', amount: '' },
    asset === undefined ? {} : { asset },
  )
  const draft: SavingsDraft = { direction, ...typed }
  const [problem, setProblem] = useState<SavingsProblem | null>(null)
  const [confirming, setConfirming] = useState(false)
  const send = useApiMutation(direction === 'in' ? 'savingsIn' : 'savingsOut', { refresh: REFRESH })
  const judged = judge(draft, account)
  const max = maxOf(draft, account)
  const change = (changes: Partial<typeof typed>) => {
    setDraft({ ...typed, ...changes })
    setProblem(null)
  }
  const goOn = (event: FormEvent) => {
    event.preventDefault()
    if (judged.ok) setConfirming(true)
    else setProblem(judged.problem)
  }
  const submit = (request: Extract<JudgedSavings, { ok: true }>['request']) =>
    send.mutate(
      { body: request },
      {
        onSuccess: () => {
          clear()
          showToast(t(`savings.${direction}.success`), { durationMs: LONG_TOAST_MS, tone: 'good' })
          if (direction === 'in') redirectTo('/pages/savings/index')
          else redirectTo('/pages/savings/list', { show: 'leaving' })
        },
      },
    )
  return (
    <form
      aria-label={t(`savings.${direction}.title`)}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={goOn}
    >
      <Segmented
        label={t('savings.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        value={draft.asset}
        onChange={(value) => change({ asset: value })}
      />
      <AmountField
        label={t('savings.amount')}
        unit={draft.asset}
        value={draft.amount}
        onChange={(amount) => change({ amount })}
        max={max}
        aside={t(`savings.${direction}.has`, { amount: formatAmount(max), asset: draft.asset })}
        error={problem === null ? undefined : t(`savings.problem.${problem}`)}
      />
      <Card>
        <Facts>
          <Fact label={t(`savings.${direction}.arrives`)}>
            {judged.ok ? (
              <Money
                amount={judged.request.amount}
                unit={draft.asset}
                exact
                className="text-16 font-semibold"
              />
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
    </form>
  )
}
