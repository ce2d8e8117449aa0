import type { MoneyPolicy, MoneyWay } from '@rif/api-schema'
import { formatMicros, ONE_PPM, type Plan } from '@rif/rules'
import { formatAmount, formatPpm, useTranslation } from '../../lib/index.ts'
import {
  Address,
  Card,
  Fact,
  Facts,
  IconCircle,
  type IconName,
  Notice,
  Pill,
  Row,
  Section,
  Time,
} from '../../ui/index.ts'

type Kind = MoneyWay['kind']

const ICONS: Readonly<Record<Kind, IconName>> = {
  withdrawal_paid: 'withdraw',
  treasury_payout: 'out',
  fund_invest: 'fund',
  suspense_release: 'refresh',
  claim_set_aside: 'book',
  payment_made_good: 'book',
  other: 'help',
  order_payment: 'shop',
  fund_purchase: 'fund',
  attested_revenue: 'doc',
  fund_divest: 'receive',
  unmatched_payment: 'help',
  grant: 'bolt',
  hash_power_purchase: 'bolt',
  exchange: 'transfer',
}

const HOUR_MS = 3_600_000

/** Names the part that enforces a rule. */
export const ENFORCERS = ['contract', 'database', 'people'] as const

/** Names who enforces a rule. */
export function Enforcer({ name }: { name: (typeof ENFORCERS)[number] }) {
  const { t } = useTranslation()
  return <Pill tone={name === 'contract' ? 'info' : 'neutral'}>{t(`money.enforced.${name}`)}</Pill>
}

interface WayProps {
  way: MoneyWay
  plan: Plan
}

/** An outgoing flow: who orders it, its delay, its enforcement, and the exits that wait now. */
export function WayOut({
  way,
  plan,
  contract,
  announced,
}: WayProps & Pick<MoneyPolicy, 'contract' | 'announced'>) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-3">
      <Heading way={way} plan={plan} />
      <Facts>
        <Fact label={t('money.orderedBy.label')}>{t(`money.orderedBy.${way.ordered_by}`)}</Fact>
        <Fact label={t('money.delay.label')}>
          <Delay way={way} plan={plan} />
        </Fact>
        {way.kind === 'withdrawal_paid' &&
          contract?.caps.map(({ asset, day_cap, claimed_today }) => (
            <Fact key={asset} label={t('money.cap', { asset })}>
              {t('money.capUsed', { cap: formatAmount(day_cap), used: formatAmount(claimed_today) })}
            </Fact>
          ))}
      </Facts>
      <EnforcedBy way={way} />
      {(way.kind === 'treasury_payout' || way.kind === 'fund_invest') && <Announced exits={announced} />}
    </Card>
  )
}

/** The exits that wait in public now, with the time from which each can leave. */
function Announced({ exits }: { exits: MoneyPolicy['announced'] }) {
  const { t } = useTranslation()
  if (exits.length === 0) return <p className="text-12 text-muted">{t('money.announced.none')}</p>
  return (
    <Notice tone="warn" title={t('money.announced.title')}>
      <ul className="flex flex-col gap-3">
        {exits.map(({ asset, amount, destination, destination_name, executable_at, expires_at }) => (
          <li key={`${destination} ${amount} ${executable_at}`} className="flex flex-col">
            <span className="font-medium">
              {t('money.announced.to', { amount: formatAmount(amount), asset, name: destination_name })}
            </span>
            <Address value={destination} />
            <span className="flex flex-wrap gap-x-1">
              {t('money.announced.from')} <Time value={executable_at} />
            </span>
            <span className="flex flex-wrap gap-x-1">
              {t('money.announced.until')} <Time value={expires_at} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2">{t('money.announced.cancel')}</p>
    </Notice>
  )
}

function Heading({ way, plan }: WayProps) {
  const { t } = useTranslation()
  return (
    <div className="flex gap-3">
      <IconCircle icon={ICONS[way.kind]} />
      <div className="min-w-0 flex-1">
        <h3 className="text-16 font-semibold">{t(`money.way.${way.kind}.title`)}</h3>
        <p className="text-14 text-muted">{t(`money.way.${way.kind}.text`, textFigures(plan))}</p>
        <p className="text-12 text-muted">{way.assets.join(', ')}</p>
      </div>
    </div>
  )
}

function Delay({ way, plan }: WayProps) {
  const { t } = useTranslation()
  if (way.delay_ms !== null) return t('money.delay.hours', { hours: way.delay_ms / HOUR_MS })
  if (way.kind === 'withdrawal_paid') return t('money.delay.review', textFigures(plan))
  return way.kind === 'suspense_release' ? t('money.delay.afterApproval') : t('money.delay.unknown')
}

function EnforcedBy({ way }: { way: MoneyWay }) {
  const { t } = useTranslation()
  return (
    <ul className="flex flex-wrap gap-1" aria-label={t('money.enforced.by')}>
      {way.enforced_by.map((name) => (
        <li key={name}>
          <Enforcer name={name} />
        </li>
      ))}
    </ul>
  )
}

/** A list of incoming flows: what happens, and who orders it. */
export function Ways({ title, ways, plan }: { title: string; ways: readonly MoneyWay[]; plan: Plan }) {
  const { t } = useTranslation()
  if (ways.length === 0) return null
  return (
    <Section title={title}>
      <Card className="divide-y divide-line py-1">
        {ways.map((way) => (
          <div key={`${way.kind} ${way.direction}`} className="flex flex-col gap-2 py-2">
            <Row
              icon={ICONS[way.kind]}
              title={t(
                way.ordered_by === 'nobody' && way.kind === 'grant'
                  ? 'money.test.title'
                  : `money.way.${way.kind}.title`,
              )}
              detail={
                <>
                  {t(
                    way.ordered_by === 'nobody' && way.kind === 'grant'
                      ? 'money.test.text'
                      : `money.way.${way.kind}.text`,
                    textFigures(plan),
                  )}
                  <span className="block text-12">
                    {way.assets.join(', ')} · {t(`money.orderedBy.${way.ordered_by}`)}
                  </span>
                </>
              }
            />
            <EnforcedBy way={way} />
          </div>
        ))}
      </Card>
    </Section>
  )
}

/** The figures that the texts name: all of them from the plan in force. */
function textFigures(plan: Plan) {
  return {
    pool: formatPpm(plan.order.commissionSharePpm),
    rest: formatPpm(ONE_PPM - plan.order.commissionSharePpm),
    review: formatAmount(formatMicros(plan.withdrawal.auditAboveMicros)),
  }
}
