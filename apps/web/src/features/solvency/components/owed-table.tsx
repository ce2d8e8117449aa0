import type { OwedAccount, Solvency } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { formatAmount, sumAmounts, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, Fact, Facts, Section, Segmented } from '../../../ui/index.ts'

export interface AssetChoice {
  asset: 'USDT' | 'AMC'
  onAsset: (asset: 'USDT' | 'AMC') => void
}

/** The choice of the asset that parts of a page show. */
export function AssetSwitch({ asset, onAsset }: AssetChoice) {
  const { t } = useTranslation()
  return (
    <Segmented
      label={t('heldOwed.asset')}
      options={(['USDT', 'AMC'] as const).map((value) => ({ value, label: value }))}
      value={asset}
      onChange={onAsset}
    />
  )
}

const POOLS: readonly OwedAccount[] = ['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool']

/** Shows the liabilities in an asset by account, adding up to the total; pools as one. */
export function OwedTable({ data, asset, onAsset }: { data: Solvency } & AssetChoice) {
  const { t } = useTranslation()
  const figures = data.assets.find((item) => item.asset === asset)
  if (figures === undefined) return null
  const { accounts, owed } = figures
  const pools = accounts.filter(({ account }) => POOLS.includes(account))
  const single = accounts.filter(({ account }) => !POOLS.includes(account))
  const lines = [
    ...single.filter(({ account }) => account !== 'suspense' && account !== 'fund_cash'),
    { account: 'pools' as const, amount: sumAmounts(pools.map(({ amount }) => amount)) },
    ...single.filter(({ account }) => account === 'suspense' || account === 'fund_cash'),
  ].filter(({ amount }) => parseMicros(amount) !== 0n)
  return (
    <Section title={t('heldOwed.owedIn', { asset })}>
      <Card className="flex flex-col gap-4">
        <AssetSwitch asset={asset} onAsset={onAsset} />
        <Facts>
          {lines.map(({ account, amount }) => (
            <Fact key={account} label={t(`heldOwed.account.${account}`)}>
              {formatAmount(amount, TWO_DECIMALS)}
            </Fact>
          ))}
          <Fact sum label={t('heldOwed.owed')}>
            {formatAmount(owed, TWO_DECIMALS)}
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}
