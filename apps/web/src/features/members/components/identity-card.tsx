import type { Me } from '@rif/api-schema'
import { formatCount, formatPpm, useTranslation } from '../../../lib/index.ts'
import { Address, Card, Fact, Facts, Money, Pill } from '../../../ui/index.ts'

/** Who am I here: the wallet in both short forms of the specification, level, counts. */
export function IdentityCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Medal address={me.receive_address} />
        <div className="flex flex-1 flex-col items-start gap-1">
          <Address
            value={me.receive_address}
            className="whitespace-nowrap text-14 font-semibold sm:text-16"
          />
          <span className="flex flex-wrap gap-2">
            <Pill tone={me.level > 0 ? 'info' : 'neutral'}>
              {me.level > 0 ? t('my.level', { level: me.level }) : t('my.noLevel')}
            </Pill>
            <Pill tone={me.state === 'active' ? 'good' : 'neutral'}>{t(`team.${me.state}`)}</Pill>
          </span>
        </div>
      </div>
      <Facts>
        <Fact label={t('my.address')}>
          <Address value={me.receive_address} form="head" copy={false} />
        </Fact>
        <Fact label={t('my.invited')}>
          {t('my.counts', {
            all: formatCount(me.invited_count_all),
            valid: formatCount(me.invited_count_valid),
          })}
        </Fact>
        <Fact label={t('my.teamSize')}>
          {t('my.counts', { all: formatCount(me.team_size_all), valid: formatCount(me.team_size_valid) })}
        </Fact>
        <Fact label={t('my.invested')}>
          <Money amount={me.investment_sum} unit="USDT" />
        </Fact>
        <Fact label={t('my.remaining')}>
          <Money amount={me.remaining_dividends} unit="USDT" />
        </Fact>
        <Fact label={t('my.discount')}>{t('my.upTo', { rate: formatPpm(me.use_hash_rate_percent) })}</Fact>
        <Fact label={t('my.days')}>{formatCount(me.register_days)}</Fact>
      </Facts>
    </Card>
  )
}

const CELLS = 25

/** A small picture of the address, so that one's own is known at a glance: its first digits as a mirrored pattern. */
function Medal({ address }: { address: string }) {
  const digits = [...address.slice(2)].map((digit) => Number.parseInt(digit, 16))
  const cells = Array.from({ length: CELLS }, (_, cell) => {
    const [row, column] = [Math.floor(cell / 5), cell % 5]
    return { row, column, isOn: digits[row * 3 + Math.min(column, 4 - column)]! % 2 === 1 }
  })
  return (
    <svg aria-hidden="true" viewBox="-1.5 -1.5 8 8" className="size-14 shrink-0 rounded-12 bg-accent-soft">
      {cells
        .filter(({ isOn }) => isOn)
        .map(({ row, column }) => (
          <rect
            key={`${row} ${column}`}
            x={column}
            y={row}
            width="1.02"
            height="1.02"
            className="fill-accent"
          />
        ))}
    </svg>
  )
}
