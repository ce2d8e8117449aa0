import type { Me } from '@rif/api-schema'
import { formatMicros, parseMicros, worth } from '@rif/rules'
import type { ReactNode } from 'react'
import {
  decimalsOf,
  formatOwn,
  formatPrice,
  isZero,
  PageLink,
  type PlainPath,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, InCurrency, Section, TokenMark, type TokenName } from '../../../ui/index.ts'
import { placeWorth, portfolioTotalOf } from '../portfolio.ts'
import type { PortfolioView } from '../use-portfolio.ts'

const text = (micros: bigint) => formatOwn(formatMicros(micros), TWO_DECIMALS)

interface AssetRowProps {
  mark: TokenName | 'VC' | 'DIV'
  name: string
  detail: ReactNode
  value: ReactNode
  hint?: ReactNode
  to: PlainPath
}

/** An asset with its mark, its parts and its value; links to its page. */
function AssetRow({ mark, name, detail, value, hint, to }: AssetRowProps) {
  return (
    <PageLink to={to} className="flex min-h-16 items-center gap-3 py-2.5">
      <TokenMark token={mark} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{name}</span>
        <span className="block text-12 text-muted">{detail}</span>
      </span>
      <span className="text-right">
        <span className="block whitespace-nowrap font-medium">{value}</span>
        {hint !== undefined && <span className="block text-12 text-muted">{hint}</span>}
      </span>
    </PageLink>
  )
}

interface Asset {
  readonly name: 'USDT' | 'AMC'
  readonly wallet: bigint | null
  readonly platform: bigint
  readonly savings: bigint
}

function assetsOf({ holdings }: PortfolioView): Asset[] {
  return (['usdt', 'amc'] as const).map((asset) => ({
    name: asset === 'usdt' ? 'USDT' : 'AMC',
    wallet: holdings.wallet === null ? null : holdings.wallet[asset],
    platform: holdings.platform[asset],
    savings: holdings.savings[asset],
  }))
}

const allOf = ({ wallet, platform, savings }: Asset) => (wallet ?? 0n) + platform + savings

export interface AssetsProps {
  me: Me
  portfolio: PortfolioView
}

/** The assets that are part of the total. */
export function AssetList({ me, portfolio }: AssetsProps) {
  const { t } = useTranslation()
  const { amcPrice, fund } = portfolio
  const price = amcPrice === null ? null : parseMicros(amcPrice)
  const aside = <span className="text-12 font-normal text-muted">{t('home.assets.inUsdt')}</span>
  return (
    <Section title={t('home.assets.title')} aside={aside}>
      <Card className="divide-y divide-line py-1">
        {assetsOf(portfolio).map((asset) => {
          const all = allOf(asset)
          const isUsdt = asset.name === 'USDT'
          const places = [asset.wallet ?? 0n, asset.platform, asset.savings].filter(
            (part) => part > 0n,
          ).length
          const locked = me.balances.AMC.locked
          const detail = isUsdt
            ? t('home.assets.places', { count: places })
            : `${text(all)}${amcPrice === null ? '' : ` × ${formatPrice(amcPrice)}`}${
                isZero(locked)
                  ? ''
                  : ` · ${t('home.assets.locked', { amount: formatOwn(locked, TWO_DECIMALS) })}`
              }`
          const value = isUsdt ? text(all) : price === null ? t('home.unpriced') : text(worth(all, price))
          return (
            <AssetRow
              key={asset.name}
              mark={asset.name}
              name={asset.name}
              to={isUsdt ? '/pages/localWallet/index' : '/pages/exchange/index'}
              {...{ detail, value }}
              {...((isUsdt || price !== null) && {
                hint: <InCurrency amount={formatMicros(isUsdt ? all : worth(all, price!))} />,
              })}
            />
          )
        })}
        {fund?.items.map((holding) => (
          <AssetRow
            key={holding.product_id}
            mark="fund"
            name={holding.product_name}
            detail={t('home.assets.units', {
              units: holding.units,
              nav: holding.nav === null ? '–' : formatPrice(holding.nav),
            })}
            value={formatOwn(holding.market_value, TWO_DECIMALS)}
            hint={<InCurrency amount={holding.market_value} />}
            to="/pages/found/my"
          />
        ))}
      </Card>
    </Section>
  )
}

/** The same as a table with a column for each place, where there is enough space. */
export function AssetTable({ portfolio }: AssetsProps) {
  const { t } = useTranslation()
  const { holdings, amcPrice, fund } = portfolio
  const price = amcPrice === null ? null : parseMicros(amcPrice)
  const cell = (micros: bigint | null) => (micros === null ? '–' : text(micros))
  const place = (name: 'wallet' | 'platform' | 'savings') =>
    name === 'wallet' && holdings.wallet === null ? '–' : text(placeWorth(holdings, name))
  return (
    <Card className="overflow-x-auto">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h2 className="text-16 font-semibold">{t('home.assets.title')}</h2>
        <span className="text-12 text-muted">{t('home.assets.inUsdt')}</span>
      </div>
      <table className="w-full text-right text-14">
        <thead className="text-12 text-muted">
          <tr>
            <th scope="col" className="py-2 text-left font-medium">
              {t('home.assets.asset')}
            </th>
            {(['wallet', 'platform', 'savings'] as const).map((name) => (
              <th key={name} scope="col" className="px-2 py-2 font-medium">
                {t(`home.place.${name}`)}
              </th>
            ))}
            <th scope="col" className="px-2 py-2 font-medium">
              {t('home.assets.price')}
            </th>
            <th scope="col" className="py-2 font-medium">
              {t('home.assets.value')}
            </th>
          </tr>
        </thead>
        <tbody>
          {assetsOf(portfolio).map((asset) => (
            <tr key={asset.name} className="border-t border-line">
              <th scope="row" className="py-2 text-left font-medium">
                <span className="flex items-center gap-3">
                  <TokenMark token={asset.name} size={28} />
                  {asset.name}
                </span>
              </th>
              <td className="px-2">{cell(asset.wallet)}</td>
              <td className="px-2">{text(asset.platform)}</td>
              <td className="px-2">{text(asset.savings)}</td>
              <td className="px-2 text-muted">
                {asset.name === 'USDT' ? '1.00' : amcPrice === null ? '–' : formatPrice(amcPrice)}
              </td>
              <td className="font-semibold">
                {asset.name === 'USDT'
                  ? text(allOf(asset))
                  : price === null
                    ? '–'
                    : text(worth(allOf(asset), price))}
              </td>
            </tr>
          ))}
          {fund?.items.map((holding) => (
            <tr key={holding.product_id} className="border-t border-line">
              <th scope="row" className="py-2 text-left font-medium">
                <span className="flex items-center gap-3">
                  <TokenMark token="fund" size={28} />
                  <span>
                    {holding.product_name}
                    <span className="block text-12 font-normal text-muted">
                      {t('home.assets.onlyUnits', { units: holding.units })}
                    </span>
                  </span>
                </span>
              </th>
              <td className="px-2 text-muted">–</td>
              <td className="px-2 text-muted">–</td>
              <td className="px-2 text-muted">–</td>
              <td className="px-2 text-muted">{holding.nav === null ? '–' : formatPrice(holding.nav)}</td>
              <td className="font-semibold">{formatOwn(holding.market_value, TWO_DECIMALS)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line">
            <th scope="row" className="py-2 text-left font-semibold">
              {t('home.inAll')}
            </th>
            <td className="px-2">{place('wallet')}</td>
            <td className="px-2">{place('platform')}</td>
            <td className="px-2">{place('savings')}</td>
            <td />
            <td className="font-semibold">
              {text(portfolioTotalOf(holdings))}
              <InCurrency
                amount={formatMicros(portfolioTotalOf(holdings))}
                className="text-12 font-normal text-muted"
              />
            </td>
          </tr>
        </tfoot>
      </table>
    </Card>
  )
}

/** Shows the holdings outside the total: packages, RIF, ETH, and VC and DIV if there are any. */
export function ApartList({ me, portfolio }: AssetsProps) {
  const { t } = useTranslation()
  const eth = portfolio.wallet?.ETH
  return (
    <Section title={t('home.apart.title')}>
      <div className="divide-y divide-line rounded-16 border border-line px-4 py-1 xl:grid xl:grid-cols-2 xl:gap-x-8 xl:divide-y-0">
        {!isZero(me.investment_sum) && (
          <AssetRow
            mark="package"
            name={t('home.apart.packages')}
            detail={t('home.apart.paid', { amount: formatOwn(me.jtjl, TWO_DECIMALS) })}
            value={`≤ ${formatOwn(me.remaining_dividends, TWO_DECIMALS)}`}
            hint={t('home.apart.atMost')}
            to="/pages/shop/orderList"
          />
        )}
        <AssetRow
          mark="RIF"
          name="RIF"
          detail={t('home.apart.rif')}
          value={formatOwn(me.balances.RIF.available, TWO_DECIMALS)}
          to="/pages/index/hashRate"
        />
        {(['VC', 'DIV'] as const)
          .filter((asset) => !isZero(me.balances[asset].available))
          .map((asset) => (
            <AssetRow
              key={asset}
              mark={asset}
              name={asset}
              detail={t(`home.apart.${asset}`)}
              value={formatOwn(me.balances[asset].available, TWO_DECIMALS)}
              to="/pages/exchange/index"
            />
          ))}
        {eth !== undefined && (
          <AssetRow
            mark="ETH"
            name="ETH"
            detail={t('home.apart.eth')}
            value={formatOwn(eth, decimalsOf('ETH'))}
            to="/pages/localWallet/index"
          />
        )}
      </div>
    </Section>
  )
}
