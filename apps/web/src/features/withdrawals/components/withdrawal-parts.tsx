import type { Withdrawal, WithdrawalStatus } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  apiFollow,
  apiQuery,
  formatAmount,
  formatExact,
  formatTime,
  PageLink,
  shortestAddress,
  useTranslation,
} from '../../../lib/index.ts'
import { HelpLink, LinkRow, MoneyText, Pill, Recent } from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'
import { OrderFrame, Progress } from '../../../wallet/order-frame.tsx'
import { useNames } from '../../../wallet/receiver/names.tsx'
import { reviewTimeText } from '../../../wallet/usual-wait.ts'
import { isWithdrawalOpen, WITHDRAWAL_TONES, withdrawalSteps } from '../withdrawal-view.ts'

export interface WithdrawalPageProps {
  title: string
  withdrawId: string
  /** Takes the width of a desktop, for `Columns`. */
  wide?: boolean
  children: (withdrawal: Withdrawal) => ReactNode
}

/** A page about one withdrawal, followed while it can change. */
export function WithdrawalPage({ withdrawId, ...frame }: WithdrawalPageProps) {
  const { t } = useTranslation()
  const query = useQuery(apiFollow('withdrawal', { params: { withdraw_id: withdrawId } }, isWithdrawalOpen))
  return <OrderFrame query={query} staleText={t('withdrawals.detail.stale')} {...frame} />
}

interface WithdrawalTimelineProps {
  withdrawal: Withdrawal
  /** The content of the claim's step. */
  claim?: ReactNode
}

/** The history of a withdrawal: requested, checked, claimed, arrived, with times, the claim's hash and its confirmations. */
export function WithdrawalTimeline({ withdrawal, claim }: WithdrawalTimelineProps) {
  const { t } = useTranslation()
  const { amount, asset, reasons } = withdrawal
  return (
    <Progress
      label={t('withdrawals.detail.progress')}
      steps={withdrawalSteps(withdrawal)}
      titleOf={({ id, state }) =>
        t(id === 'auditing' && state === 'done' ? 'withdrawals.step.audited' : `withdrawals.step.${id}`)
      }
      chain={withdrawal}
      hashAt="success"
      countAt="success"
      countText={(values) => t('withdrawals.step.confirmations', values)}
      yoursAt="withdrawable"
      remarkOf={({ id, state }) => {
        if (id === 'requested')
          return (
            <>
              <p>{t('withdrawals.step.setAside', { amount: `${formatExact(amount)} ${asset}` })}</p>
              {reasons.length === 0 && <p>{t('withdrawals.step.noReview')}</p>}
            </>
          )
        if (id === 'auditing' && state === 'active') return <UnderReview withdrawal={withdrawal} />
        return id === 'withdrawable' && state === 'active' ? claim : null
      }}
    />
  )
}

/** The reasons for a review, and its expected end, from past reviews. */
function UnderReview({ withdrawal: { reasons, created_at } }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const limit = useQuery(apiQuery('withdrawLimit')).data
  if (limit === undefined) return null
  const { audit_above_usdt, usual_review_seconds: seconds } = limit
  const above = formatAmount(audit_above_usdt, { min: 0, max: 2 })
  const expectedAt = seconds === null ? null : Date.parse(created_at) + seconds * 1000
  return (
    <div className="flex flex-col gap-1">
      {reasons.map((reason) => (
        <p key={reason}>{t(`withdrawals.reason.${reason}`, { above })}</p>
      ))}
      <p>
        {reviewTimeText(t, seconds)}{' '}
        {expectedAt !== null &&
          (expectedAt < Date.now()
            ? t('wait.late')
            : t('wait.expected', { time: formatTime(expectedAt) ?? '' }))}{' '}
        <HelpLink inline about="withdrawal.review" />
      </p>
    </div>
  )
}

/** The state of a withdrawal in the words of the member. */
export function StatusPill({ status }: { status: WithdrawalStatus }) {
  const { t } = useTranslation()
  return <Pill tone={WITHDRAWAL_TONES[status]}>{t(`withdrawals.status.${status}`)}</Pill>
}

/**
 * The destination of a withdrawal: the own wallet, or the member's name for the address beside its short
 * form.
 */
export function WithdrawalReceiver({ address }: { address: string }) {
  const { t } = useTranslation()
  const own = useOwnAddress()
  const { name } = useNames()(address)
  const isOwn = own.toLowerCase() === address.toLowerCase()
  const title = isOwn ? t('addresses.own') : name
  return (
    <>
      {title !== null && <span className="font-medium text-ink">{title} </span>}
      <span className="text-muted">{shortestAddress(address)}</span>
    </>
  )
}

/** A withdrawal on one line, which leads to it. */
export function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { withdraw_id, amount, asset, status, created_at, address } = withdrawal
  return (
    <LinkRow
      to="/pages/withdrawal/detail"
      search={{ withdraw_id }}
      title={<MoneyText amount={formatAmount(amount)} unit={asset} />}
      detail={
        <>
          <span className="block wrap-anywhere">
            <WithdrawalReceiver address={address} />
          </span>
          {formatTime(created_at)}
        </>
      }
      end={<StatusPill status={status} />}
    />
  )
}

const RECENT = 3

/** The last withdrawals, beside the form. */
export function RecentWithdrawals() {
  const { t } = useTranslation()
  return (
    <Recent
      title={t('withdrawals.list.title')}
      all={<PageLink to="/pages/withdrawal/list">{t('common.all')}</PageLink>}
      query={useQuery(apiQuery('withdrawals', { query: { limit: RECENT } }))}
      keyOf={({ withdraw_id }) => withdraw_id}
      render={(withdrawal) => <WithdrawalRow withdrawal={withdrawal} />}
      none={t('withdrawals.list.emptyHint')}
    />
  )
}
