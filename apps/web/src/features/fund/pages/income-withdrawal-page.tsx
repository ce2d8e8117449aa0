import type { FundIncome } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatAmount,
  isZero,
  LONG_TOAST_MS,
  showToast,
  switchTab,
  toAmount,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  checkOf,
  ErrorState,
  Fact,
  Facts,
  Form,
  ListSkeleton,
  MoneyFact,
  Notice,
  Page,
  Sheet,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { NoIncome } from '../components/lists.tsx'
import { keepFundTab } from '../fund-view.ts'

/** Fund income into the balance: amount, one confirmation. */
export default function IncomeWithdrawalPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('fundIncome'))
  return (
    <Page title={t('fund.income.moveTitle')}>
      {query.isPending ? (
        <ListSkeleton rows={2} />
      ) : query.data === undefined ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : isZero(query.data.balance) ? (
        <NoIncome />
      ) : (
        <MoveForm income={query.data} />
      )}
    </Page>
  )
}

function MoveForm({ income }: { income: FundIncome }) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'fund-income',
    initial: { amount: '' },
    check: ({ amount }) => checkOf('amount', judge(amount, income.balance)),
    text: (problem, { amount }) =>
      problem === 'insufficient'
        ? tooMuch(t, { typed: amount, most: income.balance })
        : t(`fund.income.problem.${problem}`),
    recheck: true,
  })
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const move = useApiMutation('fundIncomeWithdraw', { refresh: ['fundIncome', 'fundTransactions', 'me'] })
  const submit = (amount: string) =>
    move.mutate(
      { body: { amount } },
      {
        onSuccess: () => {
          form.clear()
          showToast(t('fund.income.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          keepFundTab(2)
          switchTab('/pages/found/home')
        },
        onError: () => setConfirmed(null),
      },
    )
  return (
    <Form
      aria-label={t('fund.income.moveTitle')}
      onSubmit={form.submit(({ amount }) => setConfirmed(amount))}
    >
      <AmountField
        label={t('fund.income.amount')}
        unit="USDT"
        {...form.field('amount')}
        max={income.balance}
        aside={t('fund.income.there', { amount: formatAmount(income.balance) })}
      />
      <Notice>{t('fund.income.moveHint')}</Notice>
      <Button type="submit" moves="fund" block>
        {t('fund.continue')}
      </Button>
      {confirmed !== null && (
        <ConfirmMove
          amount={confirmed}
          isBusy={move.isPending}
          onConfirm={() => submit(confirmed)}
          onClose={() => setConfirmed(null)}
        />
      )}
    </Form>
  )
}

interface ConfirmMoveProps {
  amount: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

function ConfirmMove({ amount, isBusy, onConfirm, onClose }: ConfirmMoveProps) {
  const { t } = useTranslation()
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t('fund.income.confirmTitle')}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          <MoneyFact label={t('fund.income.amount')} amount={amount} unit="USDT" exact />
          <Fact label={t('fund.income.fee')}>{t('fund.income.noFee')}</Fact>
          <MoneyFact
            label={t('fund.income.arrives')}
            amount={amount}
            unit="USDT"
            exact
            className="text-20 font-semibold"
          />
          <Fact label={t('fund.income.to')}>{t('fund.income.ownBalance')}</Fact>
        </Facts>
        <Button moves="fund" block busy={isBusy} onClick={onConfirm}>
          {t('fund.income.confirm')}
        </Button>
      </div>
    </Sheet>
  )
}

type Judged = { ok: true; amount: string } | { ok: false; problem: 'required' | 'invalid' | 'insufficient' }

function judge(input: string, balance: string): Judged {
  if (input === '') return { ok: false, problem: 'required' }
  const amount = toAmount(input)
  if (amount === null) return { ok: false, problem: 'invalid' }
  return parseMicros(amount) > parseMicros(balance)
    ? { ok: false, problem: 'insufficient' }
    : { ok: true, amount }
}
