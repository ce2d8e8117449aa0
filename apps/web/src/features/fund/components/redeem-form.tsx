import type { FundHolding, FundProductDetail, RedemptionPreview } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  call,
  formatAmount,
  formatCount,
  formatDay,
  formatTime,
  redirectTo,
  sumAmounts,
  useApiMutation,
  useSettled,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  checkOf,
  ErrorState,
  Fact,
  Facts,
  Form,
  FormColumns,
  Money,
  Notice,
  PriceNote,
  Skeleton,
  UnitsField,
  useDraftForm,
} from '../../../ui/index.ts'
import { judgeRedemption } from '../units-draft.ts'
import { useUnits } from './parts.tsx'
import { LotList, PreviewFacts } from './redemption-facts.tsx'

interface RedeemFormProps {
  product: FundProductDetail
  holding: FundHolding
  units: string
}

/** Units to redeem, their current proceeds, and the one button with its effect below it. */
export function RedeemForm({ product, holding, units }: RedeemFormProps) {
  const { t } = useTranslation()
  const redemption = useRedemptionForm(holding, units)
  const inWords = useUnits()
  const { units_redeemable } = holding
  return (
    <Form aria-label={t('fund.redeem.title')} onSubmit={redemption.onSubmit}>
      <FormColumns
        side={
          <>
            {redemption.hasFailed ? (
              <ErrorState onRetry={redemption.retry} />
            ) : redemption.preview !== undefined ? (
              <Card className="flex flex-col gap-4">
                <PreviewFacts preview={redemption.preview} />
                <LotList lots={redemption.preview.lots} />
                <p className="text-12 text-muted">{t('fund.redeem.estimateNote')}</p>
              </Card>
            ) : (
              redemption.isFiguring && <Skeleton className="h-96 rounded-16" />
            )}
            <Notice>{t('fund.redeem.about', { count: product.queue_length })}</Notice>
          </>
        }
        action={
          <>
            <Button
              type="submit"
              moves="fund"
              block
              busy={redemption.isFiguring || redemption.isRedeeming}
              aria-describedby={OUTCOME}
            >
              {redemption.form.checked.ok
                ? t('fund.redeem.submit', { units: inWords(redemption.form.checked.units) })
                : t('fund.continue')}
            </Button>
            <p id={OUTCOME} aria-live="polite" className="text-balance text-center text-12 text-muted">
              {redemption.preview !== undefined && <Outcome preview={redemption.preview} />}
            </p>
          </>
        }
      >
        <Card>
          <Facts>
            <Fact label={t('fund.order.product')}>{holding.product_name}</Fact>
            <Fact label={t('fund.order.currentNav')}>
              {holding.nav === null || holding.nav_published_at === null ? (
                '–'
              ) : (
                <>
                  <Money price amount={holding.nav} unit="USDT" />
                  <PriceNote
                    fund={holding.product_name}
                    productId={holding.product_id}
                    nav={holding.nav}
                    at={holding.nav_published_at}
                    className="ml-2"
                  />
                </>
              )}
            </Fact>
            <Fact label={t('fund.product.nextRedeemable')}>{formatDay(holding.next_redeemable_day)}</Fact>
          </Facts>
        </Card>
        <UnitsField
          label={t('fund.redeem.units')}
          unit={t('fund.unitWord')}
          lessLabel={t('fund.buy.less')}
          moreLabel={t('fund.buy.more')}
          min={1n}
          max={BigInt(units_redeemable)}
          {...redemption.form.field('units')}
          aside={
            <button
              type="button"
              className="inline-flex min-h-11 min-w-11 items-center font-semibold text-accent"
              onClick={() => redemption.form.set({ units: units_redeemable })}
            >
              {t('fund.redeem.all', { units: inWords(units_redeemable) })}
            </button>
          }
          hint={t('fund.redeem.oldestFirst')}
        />
      </FormColumns>
    </Form>
  )
}

const OUTCOME = 'redeem-outcome'

/**
 * States beside the button the net amount, the fees, the destination, the time, and until when it can be
 * cancelled.
 */
function Outcome({ preview }: { preview: RedemptionPreview }) {
  const { t } = useTranslation()
  return t('fund.redeem.outcome', {
    net: formatAmount(preview.net),
    fees: formatAmount(sumAmounts([preview.redemption_fee, preview.management_fee])),
    time: formatTime(preview.arrival_at) ?? '',
  })
}

/** The form of a redemption: units, their proceeds as computed by the server, without which nothing is sent, and the request. */
function useRedemptionForm(holding: FundHolding, units: string) {
  const { product_id } = holding
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `fund-redeem-${product_id}`,
    initial: { units },
    check: (values) => checkOf('units', judgeRedemption(values.units, holding)),
    text: (problem, { units: typed }) =>
      problem === 'notRedeemable'
        ? {
            text: t('fund.problem.notRedeemable', {
              by: formatCount(Number(BigInt(typed) - BigInt(holding.units_redeemable))),
            }),
            use: holding.units_redeemable,
          }
        : t(`fund.problem.${problem}`),
    recheck: true,
  })
  const redeem = useApiMutation('fundRedeem', {
    refresh: ['fundHoldings', 'fundOrders', 'fundOrder', 'fundRedemptions', 'fundRecords'],
  })
  const judged = form.checked
  const settled = useSettled(judged.ok ? judged.units : '')
  const query = { product_id, units: settled }
  const preview = useQuery({
    queryKey: ['fundRedemptionPreview', { query }],
    queryFn: ({ signal }) => call('fundRedemptionPreview', { query }, { signal, patient: true }),
    enabled: settled !== '',
  })
  const current = judged.ok && settled === judged.units ? preview.data : undefined
  return {
    form,
    /** For the units in the field; undefined while it is being computed, or cannot be. */
    preview: current,
    isFiguring: judged.ok && current === undefined && !preview.isError,
    hasFailed: preview.isError,
    retry: () => void preview.refetch(),
    isRedeeming: redeem.isPending,
    onSubmit: form.submit(({ units: count }) => {
      if (current === undefined || redeem.isPending) return
      redeem.mutate(
        { body: { product_id, units: count } },
        {
          onSuccess: ({ redemption_id }) => {
            form.clear()
            redirectTo('/pages/found/redemption_success', { redemption_id })
          },
        },
      )
    }),
  }
}
