import type { ActivityDetail, Asset } from '@rif/api-schema'
import { cx, formatExact, isText, sumAmounts, useTranslation } from '../../../lib/index.ts'
import { Card, Section } from '../../../ui/index.ts'

/**
 * The changes of accounts by a transaction. The changes of each asset sum to zero; the sum is computed here.
 */
export function LedgerLines({ detail }: { detail: ActivityDetail }) {
  const { t } = useTranslation()
  const assets = [...new Set(detail.lines.map(({ asset }) => asset))]
  return (
    <Section
      title={t('entry.lines')}
      aside={<span className="text-12 text-muted">L-{detail.activity_id}</span>}
    >
      <Card className="flex flex-col gap-4">
        {assets.map((asset) => (
          <AssetLines key={asset} asset={asset} detail={detail} />
        ))}
        <p className="text-12 text-muted">{t('entry.linesHint')}</p>
      </Card>
    </Section>
  )
}

function AssetLines({ asset, detail }: { asset: Asset; detail: ActivityDetail }) {
  const { t } = useTranslation()
  const lines = detail.lines.filter((line) => line.asset === asset)
  const signed = (amount: string) =>
    amount.startsWith('-') ? formatExact(amount) : `+${formatExact(amount)}`
  const nameOf = (account: string) => {
    const key = `entry.account.${account}`
    return isText(key) ? t(key) : account
  }
  return (
    <table className="w-full text-14">
      <caption className="pb-2 text-left font-semibold">{asset}</caption>
      <tbody>
        {lines.map(({ account, own, amount }) => (
          <tr key={account}>
            <th scope="row" className={cx('py-1 pr-3 text-left font-normal', !own && 'text-muted')}>
              {nameOf(account)}
            </th>
            <td className="whitespace-nowrap py-1 text-right">{signed(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot className="border-t border-line font-semibold">
        <tr>
          <th scope="row" className="pt-2 text-left">
            {t('entry.together')}
          </th>
          <td className="pt-2 text-right">{formatExact(sumAmounts(lines.map(({ amount }) => amount)))}</td>
        </tr>
      </tfoot>
    </table>
  )
}
