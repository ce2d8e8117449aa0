import type { FundIncome } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatExact,
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
  Card,
  checkOf,
  Fact,
  Facts,
  Form,
  FormColumns,
  FormSkeleton,
  Loaded,
  Money,
  Page,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { NoIncome } from '../components/lists.tsx'
import { keepFundTab } from '../fund-view.ts'

/** Moves fund income into the balance: amount, result, and one button. */
export default function IncomeWithdrawalPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('fundIncome'))
  return (
    <Page wide title={t('fund.income.moveTitle')}>
      <Loaded query={query} skeleton={<FormSkeleton />}>
        {(income) => (isZero(income.balance) ? <NoIncome /> : <MoveForm income={income} />)}
      </Loaded>
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
      },
    )
  const { checked } = form
  return (
    <Form
      aria-label={t('fund.income.moveTitle')}
      onSubmit={form.submit(({ amount }) => !move.isPending && submit(amount))}
    >
      <FormColumns
        side={
          <Card>
            <Facts>
              <Fact label={t('fund.income.fee')}>{t('fund.income.noFee')}</Fact>
              <Fact label={t('fund.income.to')}>{t('fund.income.ownBalance')}</Fact>
              <Fact sum label={t('fund.income.arrives')}>
                {checked.ok ? (
                  <Money amount={checked.amount} unit="USDT" exact className="text-20 font-semibold" />
                ) : (
                  <span className="text-muted">–</span>
                )}
              </Fact>
            </Facts>
          </Card>
        }
        action={
          <>
            <Button type="submit" moves="fund" block busy={move.isPending}>
              {checked.ok
                ? t('fund.income.submit', { amount: `${formatExact(checked.amount)} USDT` })
                : t('fund.continue')}
            </Button>
            <p className="text-center text-12 text-muted">{t('fund.income.moveHint')}</p>
          </>
        }
      >
        <AmountField
          label={t('fund.income.amount')}
          unit="USDT"
          {...form.field('amount')}
          max={income.balance}
          aside={t('fund.income.there', { amount: formatAmount(income.balance) })}
        />
      </FormColumns>
    </Form>
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
