import type { Me } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatCount, useTranslation } from '../../../lib/index.ts'
import { Card } from '../../../ui/index.ts'

const SIDES = ['left', 'right'] as const
type Side = (typeof SIDES)[number]

/** The amount that both sides bought, and the surplus of one side, in micro-units of USDT. */
export interface Balance {
  readonly both: bigint
  readonly more: bigint
  /** The side that bought more; null where both bought the same. */
  readonly side: Side | null
}

export function balanceOf(me: Pick<Me, 'left_team_investment' | 'right_team_investment'>): Balance {
  const [left, right] = [parseMicros(me.left_team_investment), parseMicros(me.right_team_investment)]
  if (left === right) return { both: left, more: 0n, side: null }
  return left > right
    ? { both: right, more: left - right, side: 'left' }
    : { both: left, more: right - left, side: 'right' }
}

const HATCH =
  'bg-[repeating-linear-gradient(135deg,var(--accent)_0_2px,transparent_2px_6px)] outline-1 -outline-offset-1 outline-accent'

/** Both sides of the team as bars: what both bought is solid, what one side bought more is hatched. */
export function SidesBars({ me }: { me: Me }) {
  const { t } = useTranslation()
  const balance = balanceOf(me)
  const share = (side: Side) => {
    const own = parseMicros(me[`${side}_team_investment`])
    const longest = balance.both + balance.more
    // Only how long a bar is drawn.
    const part = (micros: bigint) => (longest === 0n ? 0 : Number((micros * 1000n) / longest) / 10)
    return { both: part(balance.both), more: part(own - balance.both) }
  }
  return (
    <div className="flex flex-col gap-4">
      {SIDES.map((side) => {
        const { both, more } = share(side)
        return (
          <div key={side} className="flex flex-col gap-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-14">
              <span>
                <span className="font-semibold">{t(`side.${side}`)}</span>{' '}
                <span className="text-muted">
                  {t('my.counts', {
                    all: formatCount(me[`${side}_team_size_all`]),
                    valid: formatCount(me[`${side}_team_size_valid`]),
                  })}
                </span>
              </span>
              <span className="font-medium">{formatAmount(me[`${side}_team_investment`])}</span>
            </p>
            <div aria-hidden="true" className="flex h-2.5 gap-[3px] forced-color-adjust-none">
              {both > 0 && (
                <span className="h-full rounded-[3px] bg-place-wallet" style={{ width: `${both}%` }} />
              )}
              {more > 0 && (
                <span
                  className={`h-full min-w-1 flex-1 rounded-[3px] ${HATCH}`}
                  style={{ maxWidth: `${more}%` }}
                />
              )}
              {both + more === 0 && <span className="h-full w-full rounded-[3px] bg-sunken" />}
            </div>
          </div>
        )
      })}
      <p className="flex flex-wrap justify-between gap-x-3 gap-y-1 text-12">
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-[3px] bg-place-wallet" />
          {t('team.bothSides', { amount: formatAmount(formatMicros(balance.both)) })}
        </span>
        {balance.side !== null && (
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-[3px] ${HATCH}`} />
            {t(`team.oneSide_${balance.side}`, { amount: formatAmount(formatMicros(balance.more)) })}
          </span>
        )}
      </p>
    </div>
  )
}

/** The bars of both sides under their heading, beside the tree on a desktop. */
export function SidesCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-16 font-semibold">{t('team.twoSides')}</span>
        <span className="text-12 text-muted">{t('home.allTime')}</span>
      </p>
      <SidesBars me={me} />
    </Card>
  )
}
