import type { AdminMember, Asset } from '@rif/api-schema'
import { formatAmount, formatCount, isZero, levelName, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AddressFact,
  Card,
  CardSection,
  Fact,
  Facts,
  Money,
  Notice,
  Pill,
} from '../../../ui/index.ts'
import { FigureTable, Stats } from '../analytics/figure-card.tsx'
import { AdminName, MemberLink } from '../components/admin-page.tsx'
import { UtcTime, UtcTimeFact } from '../components/utc-time.tsx'

const ASSETS: readonly Asset[] = ['USDT', 'AMC', 'RIF', 'VC', 'DIV']
const ACCOUNTS = ['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income'] as const

/** The member's identity, place in the tree, balances and earnings. */
export function AdminMemberHead({ member }: { member: AdminMember }) {
  const { t } = useTranslation()
  const { profile } = member
  return (
    <>
      <Card className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 className="min-w-0 text-16 font-semibold">
            <Address value={profile.receive_address} form="full" />
          </h2>
          <Pill tone="info">{levelName(t, profile.level)}</Pill>
          <Pill tone={profile.state === 'active' ? 'good' : 'bad'}>
            {t(`adminSearch.state.${profile.state}`)}
          </Pill>
        </div>
        {member.risk !== null && (
          <Notice tone="warn" title={t('adminSearch.risk')}>
            {member.risk.reason} · <AdminName actor={member.risk.flagged_by} /> ·{' '}
            <UtcTime value={member.risk.flagged_at} />
          </Notice>
        )}
        <Stats
          items={[
            {
              label: t('adminSearch.invested'),
              value: <Money amount={profile.investment_sum} unit="USDT" />,
            },
            { label: t('adminSearch.earned'), value: <Money amount={profile.profit_sum} unit="USDT" /> },
            {
              label: t('adminSearch.withdrawLeft'),
              value: <Money amount={member.withdraw_limit.remaining} unit="USDT" />,
              hint: t('adminSearch.ofLimit', { limit: formatAmount(member.withdraw_limit.limit) }),
            },
          ]}
        />
      </Card>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2 xl:grid-cols-3">
        <Identity member={member} />
        <TreePlace member={member} />
        <CardSection title={t('adminSearch.rewards')}>
          <Facts>
            {member.rewards.length === 0 && <p className="text-muted">{t('adminSearch.noRewards')}</p>}
            {member.rewards.map((row) => (
              <Fact key={row.type} label={t(`rewards.type.${row.type}`)}>
                <Money amount={row.paid} unit="USDT" />
              </Fact>
            ))}
          </Facts>
        </CardSection>
      </div>
      <Balances member={member} />
    </>
  )
}

function Identity({ member }: { member: AdminMember }) {
  const { t } = useTranslation()
  return (
    <CardSection title={t('adminSearch.identity')}>
      <Facts>
        <Fact label={t('adminSearch.memberId')}>{member.profile.member_id}</Fact>
        <AddressFact label={t('adminSearch.code')} value={member.invite_code} form="full" />
        <UtcTimeFact label={t('adminSearch.joined')} value={member.joined_at} />
        <Fact label={t('adminSearch.validSince')}>
          {member.valid_at === null ? '–' : <UtcTime value={member.valid_at} />}
        </Fact>
        <Fact label={t('adminSearch.openSessions')}>{formatCount(member.open_sessions)}</Fact>
        <Fact label={t('adminSearch.transactions')}>{formatCount(Number(member.transactions))}</Fact>
      </Facts>
    </CardSection>
  )
}

function TreePlace({ member }: { member: AdminMember }) {
  const { t } = useTranslation()
  const { profile } = member
  return (
    <CardSection title={t('adminSearch.place')}>
      <Facts>
        <Fact label={t('adminSearch.sponsor')}>
          <Relative relative={member.sponsor} />
        </Fact>
        <Fact label={t('adminSearch.parent')}>
          <Relative relative={member.parent} />
          {member.parent !== null && (
            <span className="ml-2 text-muted">{t(`adminSearch.side.${member.parent.side}`)}</span>
          )}
        </Fact>
        {(['left', 'right'] as const).map((side) => (
          <Fact key={side} label={t(`adminSearch.side.${side}`)}>
            <Relative relative={member[side]} />
            <span className="block text-muted">
              {t('adminSearch.team', {
                count: profile[`${side}_team_size_all`],
                valid: profile[`${side}_team_size_valid`],
                volume: formatAmount(profile[`${side}_team_investment`]),
              })}
            </span>
          </Fact>
        ))}
        <Fact label={t('adminSearch.invited')}>
          {t('adminSearch.invitedCount', {
            count: profile.invited_count_all,
            valid: profile.invited_count_valid,
          })}
        </Fact>
      </Facts>
    </CardSection>
  )
}

function Relative({ relative }: { relative: { member_id: string; address: string } | null }) {
  if (relative === null) return <span>–</span>
  return <MemberLink memberId={relative.member_id} address={relative.address} />
}

function Balances({ member }: { member: AdminMember }) {
  const { t } = useTranslation()
  const { balances } = member.profile
  const heldAssets = ASSETS.filter((asset) => ACCOUNTS.some((account) => !isZero(balances[asset][account])))
  return (
    <CardSection title={t('adminSearch.balances')}>
      {heldAssets.length === 0 ? (
        <p className="text-14 text-muted">{t('adminSearch.noBalances')}</p>
      ) : (
        <FigureTable
          stacks
          caption={t('adminSearch.balances')}
          head={[t('adminSearch.asset'), ...ACCOUNTS.map((account) => t(`account.${account}`))]}
          rows={heldAssets.map((asset) => ({
            key: asset,
            cells: [asset, ...ACCOUNTS.map((account) => formatAmount(balances[asset][account]))],
          }))}
        />
      )}
    </CardSection>
  )
}
