import type { MoneyAsset, SavingsAccount, SavingsDirection } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  apiQuery,
  formatAmount,
  formatExact,
  formatTime,
  isZero,
  LONG_TOAST_MS,
  PageLink,
  redirectTo,
  restOf,
  showToast,
  TWO_DECIMALS,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  ASSET_OPTIONS,
  Button,
  buttonClass,
  Card,
  checkOf,
  DesktopOnly,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  FitsHint,
  Form,
  FormColumns,
  FormSkeleton,
  Money,
  MoneyFact,
  Notice,
  Page,
  PriceNote,
  Segmented,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { type JudgedSavings, judgeSavings, maxOf, type SavingsRequest } from '../savings-draft.ts'
import { spanOf } from '../savings-view.ts'
import { RecentSavings } from './savings-parts.tsx'

/** The page of one direction: the form, or the first step if there is nothing to move. */
export function TransferPage({
  direction,
  asset,
}: {
  direction: SavingsDirection
  /** The asset in the link. */
  asset: MoneyAsset | undefined
}) {
  const { t } = useTranslation()
  const { data: account, isError, refetch } = useQuery(apiQuery('savings'))
  const isEmpty =
    account !== undefined &&
    (['USDT', 'AMC'] as const).every((item) => isZero(maxOf({ direction, asset: item }, account)))
  const span = (ms: number) => {
    const { unit, count } = spanOf(ms)
    return t(`savings.span.${unit}`, { count })
  }
  return (
    <Page wide title={t(`savings.${direction}.title`)}>
      {account === undefined && (isError ? <ErrorState onRetry={() => void refetch()} /> : <FormSkeleton />)}
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
        <SavingsForm direction={direction} account={account} asset={asset}>
          <Notice>
            {direction === 'in'
              ? t('savings.in.about')
              : t('savings.out.about', {
                  worth: formatAmount(account.fast_up_to_usdt, { min: 0, max: 2 }),
                  fast: span(account.fast_delay_ms),
                  slow: span(account.slow_delay_ms),
                })}
            {direction === 'out' && (
              <p className="mt-1">
                <PriceNote named asset="AMC" />
              </p>
            )}
          </Notice>
        </SavingsForm>
      )}
    </Page>
  )
}

const EMPTY: SavingsRequest = { asset: 'USDT', amount: '' }
const REFRESH = ['me', 'savings', 'savingsTransfers'] as const

interface SavingsFormProps {
  direction: SavingsDirection
  account: SavingsAccount
  /** The asset in the link. */
  asset: MoneyAsset | undefined
  /** The rules of this way. */
  children: ReactNode
}

/**
 * Asset and amount beside the net amount and its time; the one button states the amount. Both directions are
 * free, so nothing else is asked.
 */
function SavingsForm({ direction, account, asset: linkedAsset, children }: SavingsFormProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `savings-${direction}`,
    initial: EMPTY,
    preset: linkedAsset === undefined ? {} : { asset: linkedAsset },
    check: (values) => checkOf('amount', judgeSavings({ direction, ...values }, account)),
    text: (problem, { amount, asset: chosen }) =>
      problem === 'insufficient'
        ? tooMuch(t, { typed: amount, most: maxOf({ direction, asset: chosen }, account) })
        : t(`savings.problem.${problem}`),
  })
  const { values, checked: judged } = form
  const { asset } = values
  const isTooHigh = form.asTyped('amount') === 'insufficient'
  const moveIn = useSignedMutation('savingsIn', { refresh: REFRESH })
  const moveOut = useApiMutation('savingsOut', { refresh: REFRESH })
  const send = direction === 'in' ? moveIn : moveOut
  const max = maxOf({ direction, asset }, account)
  const onSuccess = () => {
    form.clear()
    showToast(t(`savings.${direction}.success`), { durationMs: LONG_TOAST_MS, tone: 'good' })
    if (direction === 'in') redirectTo('/pages/savings/index')
    else redirectTo('/pages/savings/list', { show: 'leaving' })
  }
  const submit = (request: SavingsRequest) => {
    if (direction === 'out') moveOut.mutate({ body: request }, { onSuccess })
    else moveIn.send({ body: request, wish: { kind: 'savings_in', ...request }, needed: false }, onSuccess)
  }
  return (
    <Form
      aria-label={t(`savings.${direction}.title`)}
      onSubmit={form.submit(({ request }) => submit(request))}
    >
      <FormColumns
        side={
          <>
            <SavingsPreview direction={direction} judged={judged} asset={asset} />
            {children}
            <DesktopOnly>
              <RecentSavings />
            </DesktopOnly>
          </>
        }
        action={
          <Button type="submit" moves="savings" block busy={send.isPending} disabled={isTooHigh}>
            {isTooHigh
              ? t('savings.tooHigh')
              : judged.ok
                ? t(`savings.${direction}.submit`, {
                    amount: `${formatExact(judged.request.amount)} ${asset}`,
                  })
                : t(`savings.${direction}.action`)}
          </Button>
        }
      >
        <Segmented label={t('savings.asset')} options={ASSET_OPTIONS} {...form.field('asset')} />
        <AmountField
          label={t('savings.amount')}
          unit={asset}
          {...form.field('amount')}
          max={max}
          aside={t(`savings.${direction}.has`, { amount: formatAmount(max), asset })}
          hint={
            judged.ok && (
              <FitsHint>
                {t(`savings.${direction}.remains`, {
                  amount: formatAmount(restOf(max, judged.request.amount), TWO_DECIMALS),
                })}
              </FitsHint>
            )
          }
        />
      </FormColumns>
    </Form>
  )
}

interface SavingsPreviewProps {
  direction: SavingsDirection
  judged: Extract<JudgedSavings, { ok: true }> | { ok: false }
  asset: MoneyAsset
}

/** Amount, fee, what arrives and when. */
function SavingsPreview({ direction, judged, asset }: SavingsPreviewProps) {
  const { t } = useTranslation()
  const amount = judged.ok ? judged.request.amount : '0'
  return (
    <Card className="flex flex-col gap-3">
      <Facts>
        <MoneyFact label={t(`savings.${direction}.leaves`)} amount={amount} unit={asset} exact />
        <Fact label={t('savings.fee')}>{t('savings.noFee')}</Fact>
        <Fact label={t(`savings.${direction}.arrives`)} sum>
          <Money amount={amount} unit={asset} exact className="text-16 font-semibold" />
        </Fact>
        <Fact label={t('savings.when')}>
          {judged.ok ? <ArrivalTime delayMs={judged.delayMs} /> : <span className="text-muted">–</span>}
        </Fact>
      </Facts>
      <p className="text-12 text-muted">{t(`savings.${direction}.note`)}</p>
    </Card>
  )
}

/** The arrival time of a transfer confirmed now: at once, or after a span and at an approximate time. */
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
