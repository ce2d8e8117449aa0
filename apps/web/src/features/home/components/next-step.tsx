import type { FundOrder, Management, Me, Order, Withdrawal } from '@rif/api-schema'
import type { ReactNode } from 'react'
import {
  formatAmount,
  formatTime,
  isZero,
  PageLink,
  shortestAddress,
  type Translate,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, Countdown, IconCircle, LinkRow, Section } from '../../../ui/index.ts'
import { wishClaim } from '../../../wallet/claim-wish.ts'

export interface NextStepProps {
  me: Me
  orders: readonly Order[]
  /** Purchases of the fund that wait for a payment from the wallet. */
  fundOrders: readonly FundOrder[]
  withdrawals: readonly Withdrawal[]
  award: Management | undefined
}

/**
 * The next step, and below it all other open items: claims, orders, a paused award, money in transit. Renders
 * nothing when empty.
 */
export function NextStep(props: NextStepProps) {
  const { t } = useTranslation()
  const [first, ...others] = useSteps(props)
  if (first === undefined) return null
  return (
    <>
      <Section title={t('home.next')}>
        <Card className="py-1">{first}</Card>
      </Section>
      {others.length > 0 && (
        <Section title={t('home.todo')}>
          <Card className="divide-y divide-line py-1">{others}</Card>
        </Section>
      )}
    </>
  )
}

/** All steps; the one that waits for the member's money is first. */
function useSteps({ me, orders, fundOrders, withdrawals, award }: NextStepProps): ReactNode[] {
  const { t } = useTranslation()
  const leaving = (['USDT', 'AMC'] as const).filter((asset) => !isZero(me.balances[asset].savings_leaving))
  const steps: ReactNode[] = [
    ...withdrawals.map((withdrawal) => (
      <ClaimRow key={`withdrawal ${withdrawal.withdraw_id}`} withdrawal={withdrawal} />
    )),
    ...orders.map((order) => (
      <LinkRow
        key={`order ${order.order_id}`}
        to="/pages/shop/shopOrderDetail"
        search={{ order_id: order.order_id }}
        icon="orders"
        title={t('home.finishOrder', { name: order.product_name })}
        detail={t('home.finishOrderHint', {
          usdt: formatAmount(order.quote.usdt),
          amc: formatAmount(order.quote.amc),
        })}
        end={<Countdown until={order.expires_at} />}
      />
    )),
    ...fundOrders.map((order) => (
      <LinkRow
        key={`fund ${order.order_id}`}
        to="/pages/found/pay"
        search={{ order_id: order.order_id }}
        icon="fund"
        title={t('home.finishOrder', { name: order.product_name })}
        detail={`${formatAmount(order.total)} USDT`}
        end={order.expires_at !== null && <Countdown until={order.expires_at} />}
      />
    )),
    ...leaving.map((asset) => (
      <LinkRow
        key={`leaving ${asset}`}
        to="/pages/savings/list"
        search={{ show: 'leaving' }}
        icon="savings"
        title={t('home.leaving')}
        detail={`${formatAmount(me.balances[asset].savings_leaving)} ${asset}`}
      />
    )),
  ]
  if (award?.paused !== true) return steps
  const paused = (
    <LinkRow
      key="award"
      to="/pages/rewardList/index"
      icon="clock"
      title={t('home.awardPaused')}
      detail={t('home.awardPausedHint', { base: formatAmount(award.base) })}
    />
  )
  return [...steps, paused]
}

/**
 * A withdrawal that is ready: the arriving amount and its destination, with a link to its page. The button
 * opens the same page and starts the claim there, where the request to the wallet is shown beside the
 * wallet's own window.
 */
function ClaimRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { withdraw_id, receives, asset, claim_wait, key_change, refusal } = withdrawal
  const isReady = claim_wait === null && key_change === null && refusal === null
  const amount = `${formatAmount(receives, TWO_DECIMALS)} ${asset}`
  const page = { to: '/pages/withdrawal/detail', search: { withdraw_id } } as const
  return (
    <div className="flex items-center gap-3 py-1">
      <PageLink {...page} className="flex min-h-14 min-w-0 flex-1 items-center gap-3">
        <span className="max-[359px]:hidden">
          <IconCircle icon="withdraw" tone="info" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block break-words text-16 font-medium">{t('home.ready', { amount })}</span>
          <span className="block break-words text-13 text-muted">{claimHint(withdrawal, t)}</span>
        </span>
      </PageLink>
      {isReady && (
        <PageLink
          {...page}
          onClick={() => wishClaim(withdraw_id)}
          className="inline-flex min-h-11 items-center rounded-12 bg-ink px-4 text-14 font-semibold text-on-ink"
        >
          {t('home.claimButton')}
          <span className="sr-only"> {amount}</span>
        </PageLink>
      )}
    </div>
  )
}

/** Returns where a withdrawal goes, or what its claim waits for. */
function claimHint({ address, claim_wait, key_change, refusal }: Withdrawal, t: Translate): string {
  if (claim_wait !== null) return t('home.claimWaits')
  if (key_change !== null) {
    const { executable_at: from } = key_change
    return from === null ? t('home.claimKeyUnknown') : t('home.claimKey', { time: formatTime(from) })
  }
  if (refusal === null) return t('home.claimTo', { address: shortestAddress(address) })
  return refusal.reason === 'not_reviewed' ? t('home.claimSecond') : t('home.claimRefused')
}
