import type { FundIncomeItem, FundOrder, FundRedemption } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatAmount, formatTime, useTranslation } from '../../../lib/index.ts'
import {
  LinkRow,
  type ListColumn,
  MoneyText,
  Pill,
  Row,
  TextWithAddress,
  TokenMark,
} from '../../../ui/index.ts'
import { useNamed } from '../../../wallet/receiver/names.tsx'
import { isHeld, isRedemptionUnderWay, STATUS_TONES } from '../fund-view.ts'
import { useUnits } from './parts.tsx'

/** A USDT amount with its sign: a plus for incoming amounts, a true minus for outgoing ones. */
export const signed = (amount: string) =>
  amount.startsWith('-') || !/[1-9]/.test(amount) ? formatAmount(amount) : `+${formatAmount(amount)}`

/** The first cell of a row of a table: the mark of the fund and a name. */
export function FundName({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-center gap-3 font-medium">
      <TokenMark token="fund" size={28} />
      <span className="min-w-0">{children}</span>
    </span>
  )
}

/** The status of a purchase or a redemption. */
export function FundStatus({ status }: { status: keyof typeof STATUS_TONES }) {
  const { t } = useTranslation()
  return <Pill tone={STATUS_TONES[status]}>{t(`fund.status.${status}`)}</Pill>
}

/** The two lines at the right end of a row: an amount of USDT and what is said of it. */
export function AmountEnd({ amount, children }: { amount: string | null; children?: ReactNode }) {
  return (
    <span className="flex flex-col items-end gap-1">
      {amount !== null && <MoneyText amount={amount} unit="USDT" className="text-16 font-medium" />}
      {children}
    </span>
  )
}

interface DetailLinesProps {
  children: ReactNode
  /** Text before the time, such as a number of units. */
  before?: string
  at: string
}

/** The two lines of a row's detail: a description and a time. */
export function DetailLines({ children, before, at }: DetailLinesProps) {
  return (
    <span className="flex flex-col items-start">
      <span>{children}</span>
      <span className="flex flex-wrap gap-x-2 text-12">
        {before !== undefined && <span>{before} </span>}
        <span className="whitespace-nowrap">{formatTime(at)}</span>
      </span>
    </span>
  )
}

/**
 * Shows the present value of a held purchase, its cost before it is paid, and its former value after its
 * redemption.
 */
const worthOf = (order: FundOrder) =>
  isHeld(order)
    ? order.market_value
    : isRedemptionUnderWay(order) || order.status === 'Cancelled'
      ? order.total
      : order.value

/** The columns of a table of purchases. */
export function useOrderColumns(): ListColumn<FundOrder>[] {
  const { t } = useTranslation()
  const units = useUnits()
  return [
    {
      name: t('fund.order.product'),
      width: '1.6fr',
      cell: ({ product_name }) => <FundName>{product_name}</FundName>,
    },
    { name: t('fund.order.created'), width: '1.1fr', cell: ({ created_at }) => formatTime(created_at) },
    {
      name: t('fund.order.units'),
      end: true,
      cell: (order) => units(isHeld(order) ? order.units_left : order.units),
    },
    {
      name: t('fund.order.profit'),
      end: true,
      cell: (order) => (isHeld(order) ? signed(order.profit) : '–'),
    },
    {
      name: t('fund.records.valueUsdt'),
      end: true,
      cell: (order) => <span className="font-medium">{formatAmount(worthOf(order))}</span>,
    },
    { name: t('fund.order.status'), cell: ({ status }) => <FundStatus status={status} /> },
  ]
}

/** A purchase in a list: its present worth and gain, or its cost while it is unpaid. */
export function OrderRow({ order }: { order: FundOrder }) {
  const units = useUnits()
  return (
    <LinkRow
      to={isRedemptionUnderWay(order) ? '/pages/found/newOrderDetail' : '/pages/found/order_detail'}
      search={{ order_id: order.order_id }}
      mark={<TokenMark token="fund" />}
      wordy
      title={order.product_name}
      detail={
        <DetailLines at={order.created_at}>
          {units(isHeld(order) ? order.units_left : order.units)}
        </DetailLines>
      }
      end={
        <AmountEnd amount={formatAmount(worthOf(order))}>
          {isHeld(order) && <span className="text-12 text-muted">{signed(order.profit)} USDT</span>}
          {order.status !== 'Paid' && <FundStatus status={order.status} />}
        </AmountEnd>
      }
    />
  )
}

const timeOf = ({ completed_at, arrival_at, submitted_at }: FundRedemption) =>
  completed_at ?? arrival_at ?? submitted_at
const netOf = ({ is_estimate, net }: FundRedemption) => `${is_estimate ? '≈ ' : ''}${formatAmount(net)}`

/** The columns of a table of redemptions. */
export function useRedemptionColumns(): ListColumn<FundRedemption>[] {
  const { t } = useTranslation()
  const units = useUnits()
  return [
    {
      name: t('fund.order.product'),
      width: '1.6fr',
      cell: ({ product_name }) => <FundName>{product_name}</FundName>,
    },
    {
      name: t('fund.redemption.submitted'),
      width: '1.1fr',
      cell: ({ submitted_at }) => formatTime(submitted_at),
    },
    {
      name: t('fund.redemption.arrival'),
      width: '1.1fr',
      cell: ({ completed_at, arrival_at }) => formatTime(completed_at ?? arrival_at ?? '') ?? '–',
    },
    { name: t('fund.order.units'), end: true, cell: (redemption) => units(redemption.units) },
    {
      name: t('fund.redemption.netUsdt'),
      end: true,
      cell: (redemption) => <span className="font-medium">{netOf(redemption)}</span>,
    },
    { name: t('fund.order.status'), cell: ({ status }) => <FundStatus status={status} /> },
  ]
}

/** A redemption in a list: the arriving amount and the time. */
export function RedemptionRow({ redemption }: { redemption: FundRedemption }) {
  const units = useUnits()
  return (
    <LinkRow
      to="/pages/found/redemption_success"
      search={{ redemption_id: redemption.redemption_id }}
      mark={<TokenMark token="fund" />}
      wordy
      title={redemption.product_name}
      detail={<DetailLines at={timeOf(redemption)}>{units(redemption.units)}</DetailLines>}
      end={
        <AmountEnd amount={netOf(redemption)}>
          <FundStatus status={redemption.status} />
        </AmountEnd>
      }
    />
  )
}

/** The columns of a table of fund income. */
export function useIncomeColumns(): ListColumn<FundIncomeItem>[] {
  const { t } = useTranslation()
  const named = useNamed('shortest')
  return [
    {
      name: t('fund.order.product'),
      width: '1.6fr',
      cell: ({ product_name }) => <FundName>{product_name}</FundName>,
    },
    {
      name: t('fund.income.source'),
      width: '1.1fr',
      cell: ({ source_address }) => named(source_address),
    },
    { name: t('fund.income.received'), width: '1.1fr', cell: ({ at }) => formatTime(at) },
    { name: t('fund.income.feeUsdt'), end: true, cell: ({ management_fee }) => formatAmount(management_fee) },
    {
      name: t('fund.income.yoursUsdt'),
      end: true,
      cell: ({ amount }) => <span className="font-medium">+{formatAmount(amount)}</span>,
    },
  ]
}

/** A share of a management fee in the list of the fund income. */
export function IncomeRow({ item }: { item: FundIncomeItem }) {
  const { t } = useTranslation()
  const named = useNamed()
  return (
    <Row
      title={item.product_name}
      detail={
        <DetailLines at={item.at}>
          <TextWithAddress
            text={t('fund.income.from', { address: named(item.source_address) })}
            address={item.source_address}
          />
        </DetailLines>
      }
      end={
        <AmountEnd amount={`+${formatAmount(item.amount)}`}>
          <span className="text-12 text-muted">
            {t('fund.income.ofFee', { fee: formatAmount(item.management_fee) })}
          </span>
        </AmountEnd>
      }
    />
  )
}
