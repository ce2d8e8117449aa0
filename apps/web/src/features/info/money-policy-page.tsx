import type { MoneyPolicy } from '@rif/api-schema'
import type { Plan } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useAppConfig, usePlan, useTranslation } from '../../lib/index.ts'
import {
  Address,
  Card,
  Columns,
  Fact,
  Facts,
  Icon,
  ListSkeleton,
  Loaded,
  Notice,
  Page,
  Pill,
  Section,
  Time,
} from '../../ui/index.ts'
import { FlowTable } from './flow-table.tsx'
import { ENFORCERS, Enforcer, WayOut, Ways } from './money-ways.tsx'
import { OtherPages } from './other-pages.tsx'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Shows the flows of money into and out of the bank, with author, delay and enforcement. Needs no sign-in.
 */
export default function MoneyPolicyPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('moneyPolicy'))
  const plan = usePlan()
  const skeleton = <ListSkeleton rows={6} />
  return (
    <Page wide title={t('money.title')}>
      <p className="max-w-prose px-1 text-16 text-muted">{t('money.lead')}</p>
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
    <Columns
      side={
        <>
          <Banks contract={contract} />
          <Nobody />
          <Section title={t('money.people.title')}>
            <Card>
              <p className="text-14 text-muted">{t('money.people.text')}</p>
            </Card>
          </Section>
          <OtherPages name="money" />
        </>
      }
    >
      <Contract contract={contract} />
      <Enforcers />
      <Section title={t('money.out.title')} aside={t('money.out.count', { count: out.length })}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
          {out.map((way) => (
            <WayOut
              key={way.kind}
              way={way}
              plan={plan}
              contract={contract}
              announced={announced.filter(({ kind }) => kind === way.kind)}
            />
          ))}
        </div>
      </Section>
      {contract !== null && (
        <Notice>
          {t('money.exits', {
            hours: contract.change_delay_ms / HOUR_MS,
            days: contract.hand_over_delay_ms / DAY_MS,
          })}
        </Notice>
      )}
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
    </Columns>
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

/** All bank contracts, and whether one of them is about to hand over its holdings. */
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
