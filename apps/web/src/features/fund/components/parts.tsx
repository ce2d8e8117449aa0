import type { FundHolding, FundOrder, FundProduct } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiFollow,
  apiQuery,
  cx,
  formatDate,
  formatDecimal,
  formatPpm,
  formatTime,
  PageLink,
  useSession,
  useTranslation,
} from '../../../lib/index.ts'
import { buttonClass, EmptyState, Fact, Money, Pill } from '../../../ui/index.ts'
import { formatReturn, isOpenRedemption, lockedUnits } from '../fund-view.ts'

interface GainProps {
  /** A wire amount in USDT; below 0 a loss. */
  amount: string
  own?: boolean
  className?: string
}

/** A gain or loss with its sign, in ink, because green and red mark states. */
export const Gain = (props: GainProps) => <Money signed unit="USDT" {...props} />

/** Formats whole units without the word: "1,250". */
export const formatUnits = (units: string) => formatDecimal(units)

/** Formats whole units with the word: "1,250 units". */
export function useUnits(): (units: string) => string {
  const { t } = useTranslation()
  // Units may exceed 2^53: grouped as text, and counted only as one or more.
  return (units) =>
    t('fund.units', {
      count: units === '1' ? 1 : 2,
      text: formatUnits(units),
    })
}

/** Returns what `PriceNote` needs for the present NAV of a product. */
export const navOf = ({ product_id, name, nav, nav_published_at }: FundProduct) => ({
  fund: name,
  productId: product_id,
  nav,
  at: nav_published_at,
})

/** Returns the same for the NAV at which an order was made. */
export const navOfOrder = (order: Pick<FundOrder, 'product_id' | 'product_name' | 'nav' | 'created_at'>) => ({
  fund: order.product_name,
  productId: order.product_id,
  nav: order.nav,
  at: order.created_at,
})

/** Shows which units of a holding can be redeemed, and which are locked until when. */
export function RedeemableFacts({ holding }: { holding: FundHolding }) {
  const { t } = useTranslation()
  const units = useUnits()
  const { next_unlock_at } = holding
  return (
    <>
      <Fact label={t('fund.my.redeemable')}>{units(holding.units_redeemable)}</Fact>
      {next_unlock_at !== null && (
        <Fact label={t('fund.my.locked')}>
          {units(lockedUnits(holding))}
          <span className="block text-12 text-muted">
            {t('fund.my.nextUnlock', { time: formatTime(next_unlock_at) ?? '' })}
          </span>
        </Fact>
      )}
    </>
  )
}

/**
 * The level from which a risk is marked: amber calls for attention; green and red mark checked and wrong
 * states.
 */
const MARKED_RISK = 4

/** The risk of a product, from 1 to 5. */
export function RiskPill({ level }: { level: number }) {
  const { t } = useTranslation()
  return (
    <Pill tone={level >= MARKED_RISK ? 'warn' : 'neutral'}>
      {t('fund.risk.level', { level, name: t(`fund.risk.name.${level as 1 | 2 | 3 | 4 | 5}`) })}
    </Pill>
  )
}

/** A label for a product that cannot be bought. */
export function ProductState({ product }: { product: Pick<FundProduct, 'state' | 'nav_stale'> }) {
  const { t } = useTranslation()
  if (product.state === 'closed') return <Pill>{t('fund.product.closed')}</Pill>
  return product.nav_stale ? <Pill tone="warn">{t('fund.stale.pill')}</Pill> : null
}

interface ReturnsProps {
  product: FundProduct
  /** Two separate cards instead of two columns of one. */
  asCards?: boolean
}

/** Shows the actual change of the NAV beside the estimate, which is labelled as such. Rules, section 8. */
export function Returns({ product, asCards = false }: ReturnsProps) {
  const { t } = useTranslation()
  const { return_year_ppm: real, return_since, estimated_annual_return_ppm } = product
  const part = cx('block min-w-0', asCards && 'rounded-16 bg-card p-4')
  return (
    <span className="grid grid-cols-2 gap-3">
      <span className={part}>
        <span className="block text-13 text-muted">{t('fund.product.real')}</span>
        <span className="block font-display text-20 font-semibold">
          {real === null ? '–' : formatReturn(real)}
        </span>
        <span className="block text-12 text-muted">
          {return_since === null
            ? t('fund.product.noHistory')
            : t('fund.product.since', { day: formatDate(return_since) })}
        </span>
      </span>
      <span className={part}>
        <span className="block text-13 text-muted">{t('fund.product.estimate')}</span>
        <span className="block font-display text-20 font-semibold">
          {formatPpm(estimated_annual_return_ppm)}
        </span>
        <span className="block text-12 text-muted">{t('fund.product.noPromise')}</span>
      </span>
    </span>
  )
}

/** Replaces members' content for visitors. */
export function SignInInvitation() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="wallet"
      title={t('fund.visitor.title')}
      hint={t('fund.visitor.hint')}
      action={
        <PageLink to="/pages/login/index" className={buttonClass()}>
          {t('fund.visitor.signIn')}
        </PageLink>
      }
    />
  )
}

/** One redemption, followed while it can still change by itself. */
export const useRedemption = (redemptionId: string) =>
  useQuery(apiFollow('fundRedemption', { params: { redemption_id: redemptionId } }, isOpenRedemption))

/** A product with its documents. */
export const useProduct = (productId: string) =>
  useQuery(apiQuery('fundProduct', { params: { product_id: productId } }))

export const useIsMember = () => useSession().token !== ''
