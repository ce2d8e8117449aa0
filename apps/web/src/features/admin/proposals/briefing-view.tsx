import type { ProposalBriefing } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import {
  formatAmount,
  formatCount,
  formatDay,
  formatPpm,
  levelName,
  shortAddress,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { Fact, Facts, Notice } from '../../../ui/index.ts'
import { MemberLink } from '../components/admin-page.tsx'
import { WithdrawalsLink } from '../components/withdrawals-link.tsx'
import type { ChangeRow } from './difference-view.tsx'

type Departure = ProposalBriefing['departures'][number]

/** The reasons why withdrawals or transfers need review, each risk with its facts. Nothing without a risk. */
export function ProposalRiskNotice({ departures }: { departures: readonly Departure[] }) {
  const { t } = useTranslation()
  const risky = departures.filter(({ reasons }) => reasons.length > 0)
  if (risky.length === 0) return null
  const isOne = departures.length === 1
  return (
    <Notice tone="warn" title={t('admin.brief.why')}>
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {risky.flatMap((item) =>
          item.reasons.map((reason) => (
            <li key={`${item.id} ${reason}`}>
              {!isOne && `#${item.id}: `}
              <span className="font-semibold">{t(`admin.risk.${reason}`)}.</span> {whyText(t, item, reason)}
            </li>
          )),
        )}
      </ul>
    </Notice>
  )
}

function whyText(t: Translate, departure: Departure, reason: Departure['reasons'][number]): string {
  return t(`admin.brief.why_${reason}`, {
    amount: formatAmount(departure.recent_usdt),
    to: shortAddress(departure.to),
    most: formatAmount(departure.paid_most_usdt),
    joined: formatDay(departure.joined_at),
    known: departure.looks_like === null ? '' : shortAddress(departure.looks_like),
  })
}

/** The holdings and debts of the bank contract, before and after. */
export function bankRows(t: Translate, bank: ProposalBriefing['bank']): ChangeRow[] {
  return bank.flatMap(({ asset, held: holding, owed, ratio_ppm: ratio }) => [
    {
      key: `held ${asset}`,
      label: t('admin.brief.held', { asset }),
      before: holding === null ? t('admin.brief.noChain') : formatAmount(holding.before),
      after: holding === null ? '–' : formatAmount(holding.after),
    },
    {
      key: `owed ${asset}`,
      label: t('admin.brief.owed', { asset }),
      before: formatAmount(owed.before),
      after: formatAmount(owed.after),
    },
    {
      key: `ratio ${asset}`,
      label: t('admin.brief.ratio', { asset }),
      before: ratioText(ratio.before),
      after: ratioText(ratio.after),
    },
  ])
}

const ratioText = (ppm: number | null) => (ppm === null ? '–' : formatPpm(ppm))

/** The sources of a member's money, and the member's history. */
export function MemberHistory({ member }: { member: NonNullable<ProposalBriefing['member']> }) {
  const { t } = useTranslation()
  const parts = [
    [t('admin.brief.rewards'), member.rewards],
    [t('admin.brief.received'), member.received],
    [t('admin.brief.sent'), minus(member.sent)],
    [t('admin.brief.withdrawn'), minus(member.withdrawn)],
  ] as const
  const sum = parts.reduce((total, [, amount]) => total + parseMicros(amount), 0n)
  return (
    <div className="grid gap-x-6 gap-y-4 @xl:grid-cols-2">
      <section className="flex flex-col gap-2">
        <h3 className="text-14 font-semibold">{t('admin.brief.money')}</h3>
        <Facts>
          {parts.map(([label, amount]) => (
            <Fact key={label} label={label}>
              {formatAmount(amount)}
            </Fact>
          ))}
        </Facts>
        <div className="border-t border-line pt-2 font-semibold">
          <Facts>
            <Fact label={t('admin.brief.together')}>
              {formatAmount(formatMicros(sum))} <span className="text-12 font-normal text-muted">USDT</span>
            </Fact>
          </Facts>
        </div>
      </section>
      <section className="flex flex-col gap-2">
        <h3 className="text-14 font-semibold">
          {t('admin.brief.member')} <MemberLink memberId={member.member_id} />
        </h3>
        <Facts>
          <Fact label={t('admin.brief.since')}>{formatDay(member.joined_at)}</Fact>
          <Fact label={t('admin.brief.level')}>{levelName(t, member.level)}</Fact>
          <Fact label={t('admin.brief.done')}>{formatCount(member.withdrawals_done)}</Fact>
          <Fact label={t('admin.brief.rejected')}>{formatCount(member.withdrawals_rejected)}</Fact>
        </Facts>
        <WithdrawalsLink memberId={member.member_id} />
      </section>
    </div>
  )
}

const minus = (amount: string) => (parseMicros(amount) === 0n ? amount : `-${amount}`)

/** The withdrawals or transfers of a proposal about several. */
export function DepartureLines({ briefing }: { briefing: ProposalBriefing }) {
  const { t } = useTranslation()
  const { departures, departures_count: count } = briefing
  if (count < 2) return null
  return (
    <ul className="flex flex-col divide-y divide-line text-14">
      {departures.map((departure) => (
        <li key={departure.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <span>
            {t('admin.brief.departure', { is: departure.is, id: departure.id })}{' '}
            <MemberLink memberId={departure.member_id} />
          </span>
          <span className="tabular-nums">
            {formatAmount(departure.amount)} <span className="text-12 text-muted">{departure.asset}</span> →{' '}
            {shortAddress(departure.to)}
          </span>
        </li>
      ))}
      {count > departures.length && (
        <li className="py-2 text-muted">{t('admin.brief.more', { count: count - departures.length })}</li>
      )}
    </ul>
  )
}
