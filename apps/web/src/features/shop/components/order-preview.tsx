import type { Order, OrderPreview as Preview, Product } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatDate,
  formatExact,
  TWO_DECIMALS,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  Icon,
  type IconName,
  ListSkeleton,
  Loaded,
  Meter,
  SheetDock,
} from '../../../ui/index.ts'
import { EarningsLine } from '../../../wallet/earnings-line.tsx'
import { useNetworkFee } from '../../../wallet/network-fee.ts'
import { shortBy } from '../../../wallet/pay-lines.tsx'
import { PayCard, paidText, usePayLines, WorkedOutQuote } from './order-quote.tsx'

interface OrderPreviewProps {
  query: UseQueryResult<Preview>
  isBusy: boolean
  onConfirm: (quote: Order['quote']) => void
}

/** Reads the current cost of a package, again at each opening; null for none. */
export const usePreview = (product: Product | null, useHashRate: boolean) =>
  useQuery({
    ...apiQuery('orderPreview', {
      query: { product_id: product?.product_id ?? '', useHashRate: useHashRate ? 'true' : 'false' },
    }),
    enabled: product !== null,
    staleTime: 0,
    gcTime: 0,
  })

/**
 * Shows the current cost of a package and the possible loss; nothing is ordered, taken or locked before the
 * confirmation.
 */
export function OrderPreview({ query, ...confirm }: OrderPreviewProps) {
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={4} />}>
      {(preview) => <Quoted preview={preview} {...confirm} />}
    </Loaded>
  )
}

interface QuotedProps extends Pick<OrderPreviewProps, 'isBusy' | 'onConfirm'> {
  preview: Preview
}

function Quoted({ preview, isBusy, onConfirm }: QuotedProps) {
  const { t } = useTranslation()
  const { quote } = preview
  const isSoldOut = preview.copies_left === 0
  const missing = usePayLines(quote, preview.payer).filter((line) => shortBy(line) !== null)
  return (
    <>
      <PayCard due={quote.due} quote={quote} payer={preview.payer}>
        <WorkedOutQuote {...preview} />
      </PayCard>
      <Card className="flex flex-col gap-3 text-14">
        <h3 className="text-16 font-semibold">{t('shop.sheet.lose')}</h3>
        <p>{t('shop.sheet.loseText', { due: formatExact(quote.due) })}</p>
        <hr className="border-line" />
        <ActuallyPaid preview={preview} />
        <EarningsLine level={preview.level} />
      </Card>
      <InWallet preview={preview} />
      <SheetDock>
        <Button
          moves="orders"
          block
          busy={isBusy}
          disabled={missing.length > 0 || isSoldOut}
          onClick={() => onConfirm(quote)}
        >
          {isSoldOut
            ? t('shop.product.soldOut')
            : missing.length > 0
              ? t('pay.isMissing', { assets: missing.map(({ asset }) => asset).join(' + ') })
              : t('shop.sheet.pay', { amounts: paidText(quote) })}
        </Button>
        <p className="text-center text-12 text-muted">{t('shop.sheet.nothingYet')}</p>
      </SheetDock>
    </>
  )
}

const DAYS = 30n
const PPM = 1_000_000n
const DAY_MS = 86_400_000

/** Shows the static rewards paid in 30 days on a package of this price, of the maximum possible. */
function ActuallyPaid({ preview }: { preview: Preview }) {
  const { t } = useTranslation()
  const paidPpm = useAppConfig()?.coverage_30d.static
  const { product_name: name, newest_own: own } = preview
  const most = (parseMicros(preview.price) * BigInt(preview.static_per_day_ppm) * DAYS) / PPM
  const paid = (most * BigInt(paidPpm ?? 0)) / PPM
  const [paidWire, mostWire] = [formatMicros(paid), formatMicros(most)]
  const values = { paid: formatAmount(paidWire, TWO_DECIMALS), most: formatAmount(mostWire, TWO_DECIMALS) }
  return (
    <>
      <h3 className="text-16 font-semibold">{t('shop.sheet.paidTitle', { name })}</h3>
      {paidPpm == null ? (
        <p className="text-muted">{t('shop.sheet.nothingDue')}</p>
      ) : (
        <div className="flex flex-col gap-2">
          <p className="flex flex-wrap justify-between gap-x-3">
            <span className="text-muted">{t('shop.sheet.static30')}</span>
            <span>{t('shop.sheet.ofMost', values)}</span>
          </p>
          <Meter
            label={t('shop.sheet.static30')}
            share={Number(paidPpm) / Number(PPM)}
            text={t('shop.sheet.ofMost', values)}
          />
        </div>
      )}
      <p className="text-muted">
        {own !== null &&
          `${t('shop.sheet.own', {
            date: formatDate(own.bought_at),
            paid: formatAmount(own.static_paid, TWO_DECIMALS),
            days: Math.floor((Date.now() - Date.parse(own.bought_at)) / DAY_MS),
          })} `}
        {t('shop.sheet.unknown')}
      </p>
    </>
  )
}

/** Shows the copies left, the wallet's prompts and the network fees. */
function InWallet({ preview }: { preview: Preview }) {
  const { t } = useTranslation()
  const fee = useNetworkFee('order')
  const { copies_left: left, copies_limit: limit } = preview
  const lines: readonly (readonly [IconName, string])[] = [
    ['shop', t('shop.sheet.left', { left, limit })],
    ['wallet', t('shop.sheet.inWallet')],
    ...(fee === undefined ? [] : [['bolt', t('pay.networkFee', { fee: formatExact(fee) })] as const]),
  ]
  return (
    <ul className="flex flex-col gap-1 px-1 text-14 text-muted">
      {lines.map(([icon, text]) => (
        <li key={icon} className="flex items-start gap-2">
          <Icon name={icon} size={16} className="mt-0.5" />
          {text}
        </li>
      ))}
    </ul>
  )
}
