import type { AdminListedMember, RouteInput } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  apiList,
  formatAmount,
  formatCount,
  formatDay,
  levelName,
  PageLink,
  shortestAddress,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { AddressFact, Avatar, buttonClass, Money, Pill } from '../../../ui/index.ts'
import { UtcTime } from '../components/utc-time.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import type { ListShape } from '../list/list-rows.ts'
import { MemberList } from './member-list.tsx'

type Query = RouteInput<'adminMembers'>['query']

function fieldsOf(t: Translate): readonly FilterField<Query>[] {
  const all = ['', t('desk.filter.all')] as const
  return [
    {
      name: 'state',
      label: t('adminSearch.session.state'),
      as: 'tabs',
      options: [
        all,
        ['active', t('adminSearch.state.active')],
        ['frozen', t('adminSearch.state.deactivated')],
      ],
    },
    {
      name: 'level',
      label: t('adminSearch.all.level'),
      as: 'choice',
      options: [
        all,
        ...(['0', '1', '2', '3', '4', '5'] as const).map(
          (level) => [level, levelName(t, Number(level))] as const,
        ),
      ],
    },
    {
      name: 'holds',
      label: t('adminSearch.all.holds'),
      as: 'choice',
      options: [
        all,
        ['USDT', 'USDT'],
        ['AMC', 'AMC'],
        ['RIF', 'RIF'],
        ['fund', t('adminSearch.all.fundUnits')],
      ],
    },
    { name: 'from', label: t('adminSearch.all.from'), as: 'day' },
    { name: 'to', label: t('adminSearch.all.to'), as: 'day' },
  ]
}

const nameOf = ({ address }: AdminListedMember) => shortestAddress(address)

function shapeOf(t: Translate): ListShape<AdminListedMember> {
  const state = ({ state: of }: AdminListedMember) => (
    <Pill tone={of === 'active' ? 'good' : 'bad'}>{t(`adminSearch.state.${of}`)}</Pill>
  )
  return {
    keyOf: ({ member_id: id }) => id,
    nameOf,
    columns: [
      {
        key: 'member',
        head: t('adminSearch.identity'),
        cell: (member) => (
          <span className="flex items-center gap-2">
            <Avatar address={member.address} size={24} />
            {nameOf(member)}
          </span>
        ),
      },
      { key: 'id', head: t('adminSearch.memberId'), cell: ({ member_id: id }) => `#${id}` },
      { key: 'level', head: t('adminSearch.all.level'), cell: ({ level }) => levelName(t, level) },
      { key: 'state', head: t('adminSearch.session.state'), cell: state },
      {
        key: 'packages',
        head: t('adminSearch.invested'),
        isFigure: true,
        cell: ({ packages }) => `${formatAmount(packages)} USDT`,
      },
      { key: 'usdt', head: 'USDT', isFigure: true, cell: ({ usdt }) => formatAmount(usdt) },
      { key: 'amc', head: 'AMC', isFigure: true, isRoomy: true, cell: ({ amc }) => formatAmount(amc) },
      { key: 'rif', head: 'RIF', isFigure: true, isRoomy: true, cell: ({ rif }) => formatAmount(rif) },
      {
        key: 'joined',
        head: t('adminSearch.joined'),
        isFigure: true,
        cell: (member) => <span className="text-12 text-muted">{formatDay(member.joined_at)}</span>,
      },
    ],
    line: (member) => ({
      title: nameOf(member),
      aside: formatDay(member.joined_at),
      text: `#${member.member_id} · ${formatAmount(member.usdt)} USDT · ${formatAmount(member.amc)} AMC`,
      tags: (
        <>
          {state(member)}
          <Pill>{levelName(t, member.level)}</Pill>
        </>
      ),
    }),
  }
}

/** All members, newest first, by state, level, day of joining and holdings. */
export function AllMembers() {
  const { t } = useTranslation()
  const filters = useListFilters('members', fieldsOf(t))
  const query = useInfiniteQuery({
    ...apiList('adminMembers', { query: filters.query }),
    placeholderData: (previous) => previous,
  })
  return (
    <MemberList<AdminListedMember>
      label={t('adminSearch.all.title')}
      query={query}
      filters={filters}
      shape={shapeOf(t)}
      facts={(member) => [
        [t('adminSearch.memberId'), `#${member.member_id}`],
        [t('adminSearch.all.level'), levelName(t, member.level)],
        [t('adminSearch.joined'), <UtcTime key="joined" value={member.joined_at} />],
        [
          t('adminSearch.validSince'),
          member.valid_at === null ? null : <UtcTime key="valid" value={member.valid_at} />,
        ],
        [t('adminSearch.invited'), formatCount(member.invited)],
        [t('adminSearch.invested'), <Money key="packages" amount={member.packages} unit="USDT" exact />],
        ...(['usdt', 'amc', 'rif'] as const).map(
          (asset) =>
            [
              t('adminSearch.all.inAllAccounts', { asset: asset.toUpperCase() }),
              <Money key={asset} amount={member[asset]} unit={asset.toUpperCase()} exact />,
            ] as const,
        ),
      ]}
      step={(member) => (
        <>
          <AddressFact label={t('admin.roles.wallet')} value={member.address} form="full" />
          <PageLink
            to="/pages/admin/search"
            search={{ member_id: member.member_id }}
            className={buttonClass('primary')}
          >
            {t('adminSearch.all.open')}
          </PageLink>
        </>
      )}
    />
  )
}
