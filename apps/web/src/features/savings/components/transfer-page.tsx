import type { MoneyAsset, SavingsAccount, SavingsDirection } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatAmount,
  formatTime,
  isZero,
  LONG_TOAST_MS,
  PageLink,
  redirectTo,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  buttonClass,
  Card,
  checkOf,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  Form,
  ListSkeleton,
  Money,
  MoneyFact,
  Notice,
  Page,
  Segmented,
  Sheet,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { type JudgedSavings, judge, maxOf, type SavingsRequest } from '../savings-draft.ts'
import { spanOf } from '../savings-view.ts'

/** The page of one way: the form, or what to do first when there is nothing to move. */
export function TransferPage({
  direction,
  asset,
}: {
  direction: SavingsDirection
  /** The asset that the link named. */
  asset: MoneyAsset | undefined
}) {
  const { t } = useTranslation()
  const { data: account, isError, refetch } = useQuery(apiQuery('savings'))
  const isEmpty =
    account !== undefined &&
    (['USDT', 'AMC'] as const).every((one) => isZero(maxOf({ direction, asset: one }, account)))
  const span = (ms: number) => {
    const { unit, count } = spanOf(ms)
    return t(`savings.span.${unit}`, { count })
  }
  return (
    <Page title={t(`savings.${direction}.title`)}>
      {account === undefined &&
        (isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={3} />)}
      {isEmpty && (
        <EmptyState
          icon="savings"
          title={t(`savings.${direction}.nothing`)}
          hint={t(`savings.${direction}.nothingHint`)}
          action={
            <PageLink
              to={direction === 'in' ? '/pages/rewardList/index' : '/pages/savings/in'}
              className={buttonClass('secondary')}
            >
              {t(`savings.${direction}.next`)}
            </PageLink>
          }
        />
      )}
      {account !== undefined && !isEmpty && (
        <>
          <SavingsForm direction={direction} account={account} asset={asset} />
          <Notice>
            {direction === 'in'
              ? t('savings.in.about')
              : t('savings.out.about', {
                  worth: formatAmount(account.fast_up_to_usdt, { min: 0, max: 2 }),
                  fast: span(account.fast_delay_ms),
                  slow: span(account.slow_delay_ms),
                })}
          </Notice>
        </>
      )}
    </Page>
  )
}

const ASSETS = ['USDT', 'AMC'] as const
const EMPTY: SavingsRequest = { asset: 'USDT', amount: '' }
const REFRESH = ['me', 'savings', 'savingsTransfers'] as const

interface SavingsFormProps {
  direction: SavingsDirection
  account: SavingsAccount
  /** The asset that the link named. */
  asset: MoneyAsset | undefined
}

/** Asset and amount, with what arrives when; then the sheet with the one confirmation. */
function SavingsForm({ direction, account, asset: given }: SavingsFormProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `savings-${direction}`,
    initial: EMPTY,
    given: given === undefined ? {} : { asset: given },
    check: (values) => checkOf('amount', judge({ direction, ...values }, account)),
    text: (problem, { amount, asset: chosen }) =>
      problem === 'insufficient'
        ? tooMuch(t, { typed: amount, most: maxOf({ direction, asset: chosen }, account) })
        : t(`savings.problem.${problem}`),
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
      <Button type="submit" moves="savings" block>
        {t('savings.continue')}
      </Button>
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

interface ConfirmSheetProps {
  direction: SavingsDirection
  judged: Extract<JudgedSavings, { ok: true }>
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Amount, fee, what arrives, where and when; then the one confirmation. */
function ConfirmSheet({ direction, judged, isBusy, onConfirm, onClose }: ConfirmSheetProps) {
  const { t } = useTranslation()
  const { amount, asset } = judged.request
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t(`savings.${direction}.confirm`)}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          <MoneyFact label={t('savings.amount')} amount={amount} unit={asset} exact />
          <Fact label={t('savings.fee')}>{t('savings.noFee')}</Fact>
          <MoneyFact
            label={t(`savings.${direction}.arrives`)}
            amount={amount}
            unit={asset}
            exact
            className="text-20 font-semibold"
          />
          <Fact label={t('savings.when')}>
            <ArrivalTime delayMs={judged.delayMs} />
          </Fact>
        </Facts>
        <p className="text-12 text-muted">{t(`savings.${direction}.note`)}</p>
        <Button moves="savings" block busy={isBusy} onClick={onConfirm}>
          {t(`savings.${direction}.submit`)}
        </Button>
      </div>
    </Sheet>
  )
}

/** The time of arrival of a transfer confirmed now: at once, or after a span and at about which time. */
function ArrivalTime({ delayMs }: { delayMs: number }) {
  const { t } = useTranslation()
  if (delayMs === 0) return t('savings.atOnce')
  const { unit, count } = spanOf(delayMs)
  return (
    <>
      <span className="block">{t(`savings.span.${unit}`, { count })}</span>
      <span className="block text-12 text-muted">
        {t('savings.about', { time: formatTime(Date.now() + delayMs) ?? '' })}
      </span>
    </>
  )
}
