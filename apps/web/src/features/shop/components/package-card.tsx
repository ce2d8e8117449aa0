import type { AppConfig, HashRatePercent, Product } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatCount, formatPpm, isZero, useTranslation } from '../../../lib/index.ts'
import { Button, Card } from '../../../ui/index.ts'
import { LevelMark } from './level-mark.tsx'

type Coverage = AppConfig['coverage_30d']

export interface PackageCardProps {
  product: Product
  /** Undefined while it loads. */
  coverage: Coverage | undefined
  /** The current discount for RIF; undefined if none is used, or while it loads. */
  discount: Pick<HashRatePercent['packages'][number], 'discount' | 'rif'> | undefined
  onSee: () => void
}

/**
 * A package: its price, level, copies left, and its rates as ceilings beside the amounts actually paid.
 * Rules, sections 4 and 6.
 */
export function PackageCard({ product, coverage, discount, onSee }: PackageCardProps) {
  const { t } = useTranslation()
  const { name, level, copies_left: left, copies_limit } = product
  const isSoldOut = left === 0
  return (
    <Card>
      <article aria-label={name} className="flex flex-col gap-3">
        <div className="flex items-start gap-3">
          <LevelMark level={level} />
          <div className="min-w-0 flex-1">
            <h2 className="text-16 font-semibold">{name}</h2>
            <p className="text-14 text-muted">{t('shop.product.levelLeft', { level, left })}</p>
          </div>
          <p className="text-right">
            <span className="block font-display text-20 font-semibold">{formatAmount(product.price)}</span>{' '}
            <span className="block text-12 text-muted">USDT</span>
          </p>
        </div>
        {discount !== undefined && !isZero(discount.discount) && (
          <p className="text-14 text-muted">
            {t('shop.product.withRif', {
              due: formatAmount(formatMicros(parseMicros(product.price) - parseMicros(discount.discount))),
              rif: formatAmount(discount.rif),
            })}
          </p>
        )}
        <RateTable product={product} coverage={coverage} />
        <div className="flex items-center justify-between gap-3 max-[359px]:flex-col max-[359px]:items-stretch">
          <p className="text-balance text-12 text-muted">
            {t('shop.product.limit', { limit: copies_limit })}
            <span className="block">
              {t('shop.product.pairingCap', { cap: formatCap(product.pairing_day_cap) })}
            </span>
          </p>
          <Button
            aria-label={isSoldOut ? undefined : t('shop.product.seeNamed', { name })}
            className="shrink-0"
            disabled={isSoldOut}
            onClick={onSee}
          >
            {isSoldOut ? t('shop.product.soldOut') : t('shop.product.see')}
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
    { kind: 'pairing', ceiling: upTo(product.pairing_ppm), paid: coverage?.pairing },
    { kind: 'static', ceiling: upTo(product.static_per_day_ppm), paid: coverage?.static },
  ] as const
  return (
    <table className="w-full text-14">
      <caption className="sr-only">{t('shop.product.rates', { name: product.name })}</caption>
      <thead className="text-12 text-muted">
        <tr>
          <th scope="col" className="pb-1 text-left font-normal">
            {t('shop.product.kind')}
          </th>
          <th scope="col" className="pb-1 pl-3 text-left font-normal">
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
            <td className="whitespace-nowrap py-1 pl-3 font-medium">{row.ceiling}</td>
            <td className="py-1 pl-3 text-right">
              <ReallyPaid ppm={row.paid} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the paid share of the amount due; null if nothing was due, undefined while it is unknown. */
function ReallyPaid({ ppm }: { ppm: number | null | undefined }) {
  const { t } = useTranslation()
  if (ppm === undefined) return <span className="text-muted">…</span>
  if (ppm === null) return <span className="text-muted">{t('shop.product.nothingDue')}</span>
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className="h-1 w-11 overflow-hidden rounded-full bg-sunken max-[359px]:hidden">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${ppm / PPM_PER_PERCENT}%` }}
        />
      </span>
      <span className="min-w-14">{formatPpm(ppm)}</span>
    </span>
  )
}

const PPM_PER_PERCENT = 10_000

const formatCap = (amount: string) =>
  amount.endsWith('.000000') ? formatCount(Number(amount)) : formatAmount(amount)
