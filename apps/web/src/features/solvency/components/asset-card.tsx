import type { Solvency } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatRatio, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, ExplorerLink, PartKey, Term, TokenMark } from '../../../ui/index.ts'

/** Shows the current liabilities and holdings in an asset. */
export function AssetCard({ data }: { data: Solvency['assets'][number] }) {
  const { t } = useTranslation()
  const { asset, token, owed, held: holding, ratio_ppm: ratio } = data
  return (
    <section aria-label={asset}>
      <Card className="flex h-full flex-col gap-3">
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <TokenMark token={asset} />
          <span className="min-w-24 flex-1">
            <span className="flex items-center text-16 font-semibold">
              {asset}
              <ExplorerLink kind="token" value={token} />
            </span>
            <span className="block text-14 text-muted">
              <Term name="ratio">{t('heldOwed.heldFor')}</Term>
            </span>
          </span>
          <span className="font-display text-28 font-semibold whitespace-nowrap">
            {ratio === null ? '–' : formatRatio(ratio)}
          </span>
        </p>
        {holding !== null && <Bar owed={parseMicros(owed)} holding={parseMicros(holding)} />}
        <dl className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-14">
          <Figure colour="wallet" label={t('heldOwed.owed')} value={formatAmount(owed, TWO_DECIMALS)} />
          <Figure
            colour="platform"
            label={t('heldOwed.held')}
            value={holding === null ? t('heldOwed.unknown') : formatAmount(holding, TWO_DECIMALS)}
          />
        </dl>
        <p className="text-12 text-muted">
          {holding === null ? t('heldOwed.noChain') : <Rest owed={owed} holding={holding} />}
        </p>
      </Card>
    </section>
  )
}

function Figure({ colour, label, value }: { colour: 'wallet' | 'platform'; label: string; value: string }) {
  return (
    <div className="flex items-center gap-1.5">
      <PartKey colour={colour} />
      <dt>{label}</dt>
      <dd className="font-medium whitespace-nowrap">{value}</dd>
    </div>
  )
}

/** The longer amount fills the width, the shorter one its share of it. */
function Bar({ owed, holding }: { owed: bigint; holding: bigint }) {
  const most = owed > holding ? owed : holding
  const share = (micros: bigint) => (most === 0n ? 0 : Number((micros * 10_000n) / most) / 100)
  return (
    <div
      aria-hidden="true"
      className="relative h-3 overflow-hidden forced-color-adjust-none rounded-full bg-sunken"
    >
      <span className="absolute inset-y-0 left-0 bg-place-platform" style={{ width: `${share(holding)}%` }} />
      <span className="absolute inset-y-0 left-0 bg-place-wallet" style={{ width: `${share(owed)}%` }} />
    </div>
  )
}

function Rest({ owed, holding }: { owed: string; holding: string }) {
  const { t } = useTranslation()
  const rest = parseMicros(holding) - parseMicros(owed)
  const amount = formatAmount(formatMicros(rest < 0n ? -rest : rest), TWO_DECIMALS)
  return t(rest < 0n ? 'heldOwed.below' : 'heldOwed.above', { amount })
}
