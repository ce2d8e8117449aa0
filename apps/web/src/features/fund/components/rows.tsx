import type { FundIncomeItem, FundOrder, FundRedemption } from '@rif/api-schema'
import { cx, formatAmount, formatTime, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Card, LinkRow, Pill, Row, TextWithAddress } from '../../../ui/index.ts'
import { isUnderWay, STATUS_TONES, toneOf } from '../fund-view.ts'
import { useUnits } from '../use-units.ts'

/** A purchase in a list: what it is worth now and what it gained; one that is not paid yet, what it costs. */
export function OrderRow({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const isOpen = isUnderWay(order) || order.status === 'Cancelled'
  const isHeld = order.status === 'Paid' || order.status === 'Redemption'
  return (
    <Card className="py-2">
      <LinkRow
        to={isUnderWay(order) ? '/pages/found/newOrderDetail' : '/pages/found/order_detail'}
        search={{ order_id: order.order_id }}
        title={order.product_name}
        detail={
          <span className="flex flex-col items-start gap-1">
            <span>{units(isHeld ? order.units_left : order.units)}</span>
            <span className="text-12">{formatTime(order.created_at)}</span>
          </span>
        }
        end={
          <span className="flex flex-col items-end gap-1">
            <span className="font-medium">
              {formatAmount(isHeld ? order.market_value : isOpen ? order.total : order.value)} USDT
            </span>
            {isHeld && (
              <span className={cx('text-12', toneOf(order.profit))}>{signed(order.profit)} USDT</span>
            )}
            <Pill tone={STATUS_TONES[order.status]}>{t(`fund.status.${order.status}`)}</Pill>
          </span>
        }
      />
    </Card>
  )
}

/** A redemption in a list: what arrives, and when. */
export function RedemptionRow({ redemption }: { redemption: FundRedemption }) {
  const { t } = useTranslation()
  const units = useUnits()
  const { status, completed_at, arrival_at, submitted_at } = redemption
  return (
    <Card className="py-2">
      <LinkRow
        to="/pages/found/redemption_success"
        search={{ redemption_id: redemption.redemption_id }}
        title={redemption.product_name}
        detail={
          <span className="flex flex-col items-start gap-1">
            <span>{units(redemption.units)}</span>
            <span className="text-12">{formatTime(completed_at ?? arrival_at ?? submitted_at)}</span>
          </span>
        }
        end={
          <span className="flex flex-col items-end gap-1">
            <span className="font-medium">
              {redemption.is_estimate && '≈ '}
              {formatAmount(redemption.net)} USDT
            </span>
            <Pill tone={STATUS_TONES[status]}>{t(`fund.status.${status}`)}</Pill>
          </span>
        }
      />
    </Card>
  )
}

/** A share of a management fee in the list of the fund income. */
export function IncomeRow({ item }: { item: FundIncomeItem }) {
  const { t } = useTranslation()
  return (
    <Card className="py-2">
      <Row
        title={item.product_name}
        detail={
          <span className="flex flex-col items-start gap-1">
            <span>
              <TextWithAddress
                text={t('fund.income.from', { address: shortAddress(item.source_address) })}
                address={item.source_address}
              />
            </span>
            <span className="text-12">{formatTime(item.at)}</span>
          </span>
        }
        end={
          <span className="flex flex-col items-end gap-1">
            <span className="font-medium text-good">+{formatAmount(item.amount)} USDT</span>
            <span className="text-12 text-muted">
              {t('fund.income.ofFee', { fee: formatAmount(item.management_fee) })}
            </span>
          </span>
        }
      />
    </Card>
  )
}

export const signed = (amount: string) =>
  amount.startsWith('-') || !/[1-9]/.test(amount) ? formatAmount(amount) : `+${formatAmount(amount)}`
