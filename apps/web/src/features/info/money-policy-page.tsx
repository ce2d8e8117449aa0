import type { MoneyPolicy, MoneyWay } from '@rif/api-schema'
import { formatMicros, ONE_PPM, type Plan } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatPpm,
  PageLink,
  useAppConfig,
  usePlan,
  useTranslation,
} from '../../lib/index.ts'
import {
  Address,
  Card,
  Fact,
  Facts,
  Icon,
  type IconName,
  ListSkeleton,
  Loaded,
  Notice,
  Page,
  Pill,
  Row,
  Section,
  Time,
} from '../../ui/index.ts'
import { FlowTable } from './flow-table.tsx'

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
const DAY_MS = 86_400_000

/** Shows the ways of money into and out of the bank, with author, delay and enforcement. Needs no sign-in. */
export default function MoneyPolicyPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('moneyPolicy'))
  const plan = usePlan()
  const skeleton = <ListSkeleton rows={6} />
  return (
    <Page title={t('money.title')}>
      <p className="px-1 text-16 text-muted">{t('money.lead')}</p>
      <Loaded query={plan} skeleton={skeleton}>
        {(figures) => (
          <Loaded query={query} skeleton={skeleton}>
            {(policy) => <Policy policy={policy} plan={figures} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function Policy({ policy, plan }: { policy: MoneyPolicy; plan: Plan }) {
  const { t } = useTranslation()
  const { ways, contract, announced } = policy
  const moves = ways.filter(({ ordered_by }) => ordered_by !== 'nobody')
  const booked = ways.filter(({ ordered_by }) => ordered_by === 'nobody')
  const out = moves.filter(({ direction }) => direction === 'out')
  return (
    <>
      <Contract contract={contract} />
      <Enforcers />
      <Section title={t('money.out.title')} aside={t('money.out.count', { count: out.length })}>
        {out.map((way) => (
          <WayOut
            key={way.kind}
            way={way}
            plan={plan}
            contract={contract}
            announced={announced.filter(({ kind }) => kind === way.kind)}
          />
        ))}
      </Section>
      {contract !== null && (
        <Notice>
          {t('money.exits', {
            hours: contract.change_delay_ms / HOUR_MS,
            days: contract.hand_over_delay_ms / DAY_MS,
          })}
        </Notice>
      )}
      <Banks contract={contract} />
      <Ways
        title={t('money.in.title')}
        ways={moves.filter(({ direction }) => direction === 'in')}
        plan={plan}
      />
      <Ways
        title={t('money.credit.title')}
        ways={moves.filter(({ direction }) => direction === 'credit')}
        plan={plan}
      />
      <Ways title={t('money.booked.title')} ways={booked} plan={plan} />
      <Section title={t('money.inside.title')}>
        <Card className="flex flex-col gap-2">
          <p className="text-14 text-muted">{t('money.inside.text')}</p>
          <FlowTable flows={policy.flows} />
        </Card>
      </Section>
      <Nobody />
      <Section title={t('money.people.title')}>
        <Card>
          <p className="text-14 text-muted">{t('money.people.text')}</p>
        </Card>
      </Section>
      <nav
        className="flex flex-wrap gap-x-6 px-1 text-14 font-medium text-accent"
        aria-label={t('info.section')}
      >
        <PageLink to="/pages/solvency" className="inline-flex min-h-11 items-center">
          {t('info.solvency')}
        </PageLink>
        <PageLink to="/pages/my/help" className="inline-flex min-h-11 items-center">
          {t('info.help.title')}
        </PageLink>
        <PageLink to="/pages/my/risk" className="inline-flex min-h-11 items-center">
          {t('info.risk.title')}
        </PageLink>
        <PageLink to="/pages/my/terms" className="inline-flex min-h-11 items-center">
          {t('info.terms.title')}
        </PageLink>
      </nav>
    </>
  )
}

/** The bank contract and the addresses that exits may go to. */
function Contract({ contract }: Pick<MoneyPolicy, 'contract'>) {
  const { t } = useTranslation()
  if (contract === null) return <Notice tone="warn">{t('money.contract.missing')}</Notice>
  return (
    <Card>
      <Facts>
        <Fact label={t('money.contract.address')}>
          <Address value={contract.address} />
        </Fact>
        <Fact label={t('money.contract.destinations')}>
          {contract.destinations.length === 0
            ? t('money.contract.none')
            : contract.destinations.map((address) => <Address key={address} value={address} />)}
        </Fact>
      </Facts>
    </Card>
  )
}

const ENFORCERS = ['contract', 'database', 'people'] as const

function Enforcers() {
  const { t } = useTranslation()
  return (
    <Section title={t('money.enforced.title')}>
      <Card>
        <ul className="flex flex-col gap-3 text-14">
          {ENFORCERS.map((name) => (
            <li key={name} className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-3">
              <span>
                <Enforcer name={name} />
              </span>
              <span className="text-muted">{t(`money.enforced.text.${name}`)}</span>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

function Enforcer({ name }: { name: (typeof ENFORCERS)[number] }) {
  const { t } = useTranslation()
  return <Pill tone={name === 'contract' ? 'info' : 'neutral'}>{t(`money.enforced.${name}`)}</Pill>
}

interface WayProps {
  way: MoneyWay
  plan: Plan
}

/** A way out: who orders it, how long it waits, what enforces it, and what waits on it now. */
function WayOut({ way, plan, contract, announced }: WayProps & Pick<MoneyPolicy, 'contract' | 'announced'>) {
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

/** All bank contracts, and whether one of them is about to hand its holdings over. */
function Banks({ contract }: Pick<MoneyPolicy, 'contract'>) {
  const { t } = useTranslation()
  const banks = useAppConfig()?.banks
  if (banks === undefined) return null
  return (
    <Section title={t('money.banks.title')}>
      <Card className="flex flex-col gap-4">
        <p className="text-14 text-muted">
          {contract === null
            ? t('money.banks.text')
            : t('money.banks.delay', { days: contract.hand_over_delay_ms / DAY_MS })}
        </p>
        <ul className="flex flex-col gap-4 text-14">
          {banks.toReversed().map(({ address, state, successor, hand_over_from, handed_over_at }) => (
            <li
              key={address}
              className="flex flex-col gap-1 border-t border-line pt-4 first:border-t-0 first:pt-0"
            >
              <span className="flex flex-wrap items-center justify-between gap-2">
                <Address value={address} />
                <Pill tone={state === 'taking_orders' ? 'good' : 'neutral'}>{t(`money.banks.${state}`)}</Pill>
              </span>
              {handed_over_at !== null && (
                <span className="flex flex-wrap gap-x-1 text-muted">
                  {t('money.banks.closed')} <Time value={handed_over_at} />
                </span>
              )}
              {hand_over_from !== null && handed_over_at === null && (
                <span className="flex flex-wrap gap-x-1 font-medium text-warn">
                  {t('money.banks.queued')} <Time value={hand_over_from} />
                </span>
              )}
              {successor !== null && (
                <span className="flex flex-wrap items-center gap-x-1 text-muted">
                  {t('money.banks.successor')} <Address value={successor} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

function Heading({ way, plan }: WayProps) {
  const { t } = useTranslation()
  return (
    <div className="flex gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-12 bg-sunken">
        <Icon name={ICONS[way.kind]} size={20} />
      </span>
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

/** Ways in a list: what happens, and who orders it. */
function Ways({ title, ways, plan }: { title: string; ways: readonly MoneyWay[]; plan: Plan }) {
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

const NEVER = ['principal', 'ledger', 'take', 'approve', 'nav'] as const

function Nobody() {
  const { t } = useTranslation()
  return (
    <Section title={t('money.never.title')}>
      <Card>
        <ul className="flex flex-col gap-3 text-14">
          {NEVER.map((name) => (
            <li key={name} className="flex gap-2">
              <Icon name="close" size={20} className="text-muted" />
              {t(`money.never.${name}`)}
            </li>
          ))}
        </ul>
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
