import type { Me } from '@rif/api-schema'
import { formatMicros, type PackageTerms, type Plan, parseMicros, TOP_LEVEL, termsOfLevel } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatCount,
  formatPpm,
  levelName,
  PageLink,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  buttonClass,
  Card,
  Fact,
  Facts,
  Hero,
  Loaded,
  Meter,
  Money,
  MoneyFact,
  Pill,
  Section,
  Skeleton,
  Stat,
  Term,
  Time,
} from '../../../ui/index.ts'

/** The member's wallet, level, team and time here, on the brand field. */
export function IdentityCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const valid = (count: number) => t('my.valid', { count: formatCount(count) })
  return (
    <Hero className="flex flex-col gap-5">
      <div className="flex items-center gap-x-3">
        <Avatar address={me.receive_address} size={52} />
        <div className="min-w-0 flex-1">
          <Address
            value={me.receive_address}
            className="whitespace-nowrap text-14 font-semibold sm:text-16"
          />
          <p className="flex items-center gap-2 text-13 text-muted">
            {t(`team.${me.state}`)}
            <Pill>{levelName(t, me.level)}</Pill>
          </p>
        </div>
      </div>
      <div className="grid grid-cols-3 gap-3">
        <Stat
          label={t('my.invited')}
          value={formatCount(me.invited_count_all)}
          hint={valid(me.invited_count_valid)}
        />
        <Stat
          label={t('my.teamSize')}
          value={formatCount(me.team_size_all)}
          hint={valid(me.team_size_valid)}
        />
        <Stat label={t('my.days')} value={t('my.dayCount', { count: me.register_days })} />
      </div>
    </Hero>
  )
}

/** The figures of the account that belong to no single area. `figures-page.tsx` shows all of them. */
export function FiguresCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <Section title={t('my.figures')}>
      <Card>
        <Facts>
          <Fact label={t('my.address')}>
            <Address value={me.receive_address} form="head" copy={false} />
          </Fact>
          <MoneyFact own label={t('my.invested')} amount={me.investment_sum} unit="USDT" />
          <MoneyFact own label={t('my.remaining')} amount={me.remaining_dividends} unit="USDT" />
          <Fact label={t('my.discount')}>{t('my.upTo', { rate: formatPpm(me.use_hash_rate_percent) })}</Fact>
        </Facts>
      </Card>
    </Section>
  )
}

/** Compares the member's level with the next one and its conditions. All figures come from the plan in force. */
export function LevelCard({ level, plan }: { level: number; plan: Plan }) {
  const { t } = useTranslation()
  const next = level < TOP_LEVEL ? termsOfLevel(plan, level + 1) : null
  const columns = [
    { level, terms: termsOfLevel(plan, level) },
    ...(next === null ? [] : [{ level: next.level, terms: next }]),
  ]
  return (
    <Section title={<Term name="level">{t('my.levels.title')}</Term>}>
      <Card className="flex flex-col gap-4">
        <table className="w-full text-14">
          <caption className="sr-only">{t('my.levels.caption')}</caption>
          <thead>
            <tr className="text-right text-12 text-muted">
              <th scope="col" className="pb-2 text-left font-normal">
                {t('my.levels.upTo')}
              </th>
              {columns.map((column, place) => (
                <th key={column.level} scope="col" className="pb-2 pl-2 font-normal">
                  {column.level === 0 ? t('my.levels.none') : levelName(t, column.level)}
                  <span className="block">{place === 0 ? t('my.levels.now') : t('my.levels.next')}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map((row) => (
              <tr key={row} className="border-t border-line text-right">
                <th scope="row" className="wrap-anywhere py-2 pr-2 text-left font-normal">
                  {t(`my.levels.${row}`)}
                </th>
                {columns.map((column) => (
                  <td
                    key={column.level}
                    className="whitespace-nowrap py-2 pl-2 align-top max-[359px]:whitespace-normal"
                  >
                    {figureOf(row, column, plan)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {next === null ? (
          <p className="text-14 text-muted">{t('my.levels.top')}</p>
        ) : (
          <>
            <p className="text-14">
              {t('my.levels.needs', {
                level: next.level,
                name: next.name,
                price: formatAmount(formatMicros(next.priceMicros), WHOLE),
              })}
            </p>
            <PageLink to="/pages/shop/index" className={buttonClass('secondary', true)}>
              {t('my.levels.toShop')}
            </PageLink>
          </>
        )}
        <p className="text-12 text-muted">{t('my.levels.hint')}</p>
      </Card>
    </Section>
  )
}

const ROWS = ['referral', 'organisation', 'static', 'pairing', 'pairingCap', 'withdrawal'] as const
type Row = (typeof ROWS)[number]

const WHOLE = { min: 0, max: 2 }

function figureOf(
  row: Row,
  { level, terms }: { level: number; terms: PackageTerms | null },
  plan: Plan,
): string {
  const usdt = (micros: bigint) => `${formatAmount(formatMicros(micros), WHOLE)} USDT`
  if (row === 'withdrawal') return usdt(plan.withdrawal.dayLimitMicros[level] ?? 0n)
  if (terms === null) return '–'
  if (row === 'pairingCap') return usdt(terms.pairingDayCapMicros)
  return formatPpm(
    {
      referral: terms.referralPpm,
      organisation: terms.organisationPpm,
      static: terms.staticPpm,
      pairing: terms.pairingPpm,
    }[row],
  )
}

/** Shows the rest of today's withdrawal limit and the daily limit of pairing rewards. */
export function LimitsCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('withdrawLimit'))
  return (
    <Section title={t('my.limits.title')}>
      <Card className="flex flex-col gap-4">
        <Loaded query={query} skeleton={<Skeleton className="h-19" />}>
          {(limit) => (
            <div className="flex flex-col gap-2 text-14">
              <p className="flex items-baseline justify-between gap-4">
                <span className="text-muted">
                  <Term name="limit">{t('my.limits.withdraw')}</Term>
                </span>
                <Money amount={limit.remaining} unit="USDT" className="font-semibold" />
              </p>
              <Meter
                label={t('my.limits.used')}
                share={shareOf(limit.used, limit.limit)}
                text={t('my.limits.usedOf', {
                  used: formatAmount(limit.used),
                  limit: formatAmount(limit.limit),
                })}
              />
              <p className="text-12 text-muted">
                {t('my.limits.usedOf', { used: formatAmount(limit.used), limit: formatAmount(limit.limit) })}{' '}
                {t('my.limits.resets')} <Time value={limit.resets_at} />
              </p>
            </div>
          )}
        </Loaded>
        <p className="flex items-baseline justify-between gap-4 text-14">
          <span className="text-muted">
            <Term name="pairing">{t('my.pairingCap')}</Term>
          </span>
          <Money amount={me.day_top_profit} unit="USDT" className="font-semibold" />
        </p>
      </Card>
    </Section>
  )
}

/** Only for drawing. */
function shareOf(used: string, limit: string): number {
  const whole = parseMicros(limit)
  return whole === 0n ? 0 : Number((parseMicros(used) * 1000n) / whole) / 1000
}
