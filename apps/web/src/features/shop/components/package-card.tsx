import type { AppConfig, HashRatePercent, Product } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatCount, formatPpm, isZero, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Money, Pill } from '../../../ui/index.ts'

type Coverage = AppConfig['coverage_30d']

export interface PackageCardProps {
  product: Product
  /** Undefined while it loads. */
  coverage: Coverage | undefined
  /** The discount for RIF at this moment; undefined when none is used, or while it loads. */
  discount: Pick<HashRatePercent['packages'][number], 'discount' | 'rif'> | undefined
  isBusy: boolean
  onBuy: () => void
}

/** A package: its price, level, copies left, and its rates as ceilings beside what was really paid. Rules, sections 4 and 6. */
export function PackageCard({ product, coverage, discount, isBusy, onBuy }: PackageCardProps) {
  const { t } = useTranslation()
  const { name, level, copies_left, copies_limit } = product
  const isSoldOut = copies_left === 0
  return (
    <Card>
      <article aria-label={name} className="flex flex-col gap-4">
        <div className="flex flex-col items-start gap-1">
          <div className="flex w-full items-center justify-between gap-3">
            <h2 className="text-16 font-semibold">{name}</h2>
            <Pill tone="info">{t('shop.product.level', { level })}</Pill>
          </div>
          <Money amount={product.price} unit="USDT" className="text-28 font-semibold" />
          {discount !== undefined && !isZero(discount.discount) && (
            <p className="text-14 text-muted">
              {t('shop.product.withRif', {
                due: formatAmount(formatMicros(parseMicros(product.price) - parseMicros(discount.discount))),
                rif: formatAmount(discount.rif),
              })}
            </p>
          )}
        </div>
        <RateTable product={product} coverage={coverage} />
        <div className="flex items-center justify-between gap-3">
          <p className="text-14">
            <span className={isSoldOut ? 'text-bad' : 'font-medium'}>
              {isSoldOut ? t('shop.product.soldOut') : t('shop.product.left', { left: copies_left })}
            </span>
            <span className="block text-12 text-muted">
              {t('shop.product.limit', { limit: copies_limit })}
            </span>
          </p>
          <Button
            aria-label={t('shop.product.buyNamed', { name })}
            disabled={isSoldOut}
            busy={isBusy}
            onClick={onBuy}
          >
            {t('shop.product.buy')}
          </Button>
        </div>
      </article>
    </Card>
  )
}

function RateTable({ product, coverage }: Pick<PackageCardProps, 'product' | 'coverage'>) {
  const { t } = useTranslation()
  const upTo = (ppm: number) => t('shop.product.upTo', { rate: formatPpm(ppm) })
  const rows = [
    { kind: 'referral', ceiling: upTo(product.referral_ppm), paid: coverage?.commission },
    { kind: 'organisation', ceiling: upTo(product.organisation_ppm), paid: coverage?.commission },
    { kind: 'static', ceiling: upTo(product.static_per_day_ppm), paid: coverage?.static },
    { kind: 'pairing', ceiling: upTo(product.pairing_ppm), paid: coverage?.pairing },
  ] as const
  return (
    <div>
      <table className="w-full text-14">
        <caption className="sr-only">{t('shop.product.rates', { name: product.name })}</caption>
        <thead className="text-12 text-muted">
          <tr>
            <th scope="col" className="pb-1 text-left font-normal">
              {t('shop.product.kind')}
            </th>
            <th scope="col" className="pb-1 pl-3 text-right font-normal">
              {t('shop.product.ceiling')}
            </th>
            <th scope="col" className="pb-1 pl-3 text-right font-normal">
              {t('shop.product.paid')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.kind}>
              <th scope="row" className="py-1 text-left font-normal">
                {t(`shop.product.${row.kind}`)}
              </th>
              <td className="py-1 pl-3 text-right">{row.ceiling}</td>
              <td className="py-1 pl-3 text-right">
                <ReallyPaid ppm={row.paid} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1 text-12 text-muted">
        {t('shop.product.pairingCap', { cap: formatCap(product.pairing_day_cap) })}
      </p>
    </div>
  )
}

/** The share of what was due that was paid; null where nothing was due, undefined while it is not known. */
function ReallyPaid({ ppm }: { ppm: number | null | undefined }) {
  const { t } = useTranslation()
  if (ppm === undefined) return <span className="text-muted">…</span>
  if (ppm === null) return <span className="text-muted">{t('shop.product.nothingDue')}</span>
  return <span className={ppm === 0 ? 'font-medium text-bad' : 'font-medium'}>{formatPpm(ppm)}</span>
}

const formatCap = (amount: string) =>
  amount.endsWith('.000000') ? formatCount(Number(amount)) : formatAmount(amount)
