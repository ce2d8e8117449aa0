import type { AdminEntry } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, PageLink, shortestAddress, type Translate, useTranslation } from '../../../lib/index.ts'
import {
  AddressFact,
  Avatar,
  Button,
  buttonClass,
  EmptyState,
  Fact,
  Facts,
  Pill,
  type Tone,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { UtcTime, utcText } from '../components/utc-time.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { allRows, type ListShape } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { NO_ROLE, ROLES, RoleSheet } from '../roles/role-sheet.tsx'

/** The wallets with a role on the operator's side; owners propose changes, another owner approves them. */
export default function RolesPage() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery(apiQuery('adminRoles'))
  const filters = useListFilters('roles', fieldsOf(t))
  const [editedAdmin, setEditedAdmin] = useState<AdminEntry | 'new' | null>(null)
  const { want, sheets } = useProposals({ place: 'roles' })
  const all = query.data?.items ?? []
  const counts = Object.fromEntries(
    ROLES.map((role) => [role, all.filter((item) => item.role === role).length]),
  )
  return (
    <AdminPage
      title={t('admin.area.roles')}
      about={t('admin.roles.about')}
      actions={may('owner') && <Button onClick={() => setEditedAdmin('new')}>{t('admin.roles.give')}</Button>}
    >
      <FilterBar filters={filters} counts={{ '': all.length, ...counts }} />
      <WorkList
        label={t('admin.area.roles')}
        rows={allRows(query, ({ items }) => items.filter((item) => isWanted(item, filters.query)))}
        shape={shapeOf(t)}
        isNarrowed
        empty={<EmptyState icon="search" title={t('desk.held.nothing')} />}
        details={(entry, leave) => (
          <RoleDetails
            entry={entry}
            isOwner={may('owner')}
            onChange={() => setEditedAdmin(entry)}
            onTake={() => {
              leave()
              const { address, person_number: number } = entry
              want({ kind: 'role', payload: { address, person: { number }, role: null } })
            }}
          />
        )}
      />
      {editedAdmin !== null && (
        <RoleSheet
          initial={
            editedAdmin === 'new'
              ? NO_ROLE
              : {
                  ...NO_ROLE,
                  address: editedAdmin.address,
                  number: editedAdmin.person_number,
                  role: editedAdmin.role,
                }
          }
          persons={query.data?.persons ?? []}
          isFixed={editedAdmin !== 'new'}
          onSubmit={(payload, onDone) => {
            setEditedAdmin(null)
            want({ kind: 'role', payload }, onDone)
          }}
          onClose={() => setEditedAdmin(null)}
        />
      )}
      {sheets}
    </AdminPage>
  )
}

interface Narrowed {
  readonly role?: AdminEntry['role']
  readonly q?: string
}

const fieldsOf = (t: Translate): readonly FilterField<Narrowed>[] => [
  {
    name: 'role',
    label: t('admin.field.role'),
    as: 'tabs',
    options: [['', t('desk.filter.all')], ...ROLES.map((role) => [role, t(`admin.role.${role}`)] as const)],
  },
  { name: 'q', label: t('admin.roles.search'), as: 'search' },
]

/** The list is short and unpaged, so the browser filters it. */
function isWanted({ role, person, address }: AdminEntry, { role: of, q = '' }: Narrowed): boolean {
  const text = q.toLowerCase()
  return (
    (of === undefined || role === of) &&
    (person.toLowerCase().includes(text) || address.toLowerCase().startsWith(text))
  )
}

const TONES: Readonly<Record<AdminEntry['role'], Tone>> = {
  viewer: 'neutral',
  operator: 'info',
  approver: 'info',
  owner: 'warn',
}

function RolePill({ role }: Pick<AdminEntry, 'role'>) {
  const { t } = useTranslation()
  return <Pill tone={TONES[role]}>{t(`admin.role.${role}`)}</Pill>
}

const shapeOf = (t: Translate): ListShape<AdminEntry> => ({
  keyOf: ({ address }) => address,
  nameOf: ({ person, address }) => `${person}, ${shortestAddress(address)}`,
  columns: [
    {
      key: 'person',
      head: t('admin.roles.column.name'),
      cell: ({ person, address }) => (
        <span className="flex items-center gap-2">
          <Avatar address={address} size={24} />
          {person}
        </span>
      ),
    },
    {
      key: 'wallet',
      head: t('admin.roles.column.wallet'),
      cell: ({ address }) => <span className="whitespace-nowrap">{shortestAddress(address)}</span>,
    },
    {
      key: 'role',
      head: t('admin.roles.column.role'),
      cell: ({ role }) => <RolePill role={role} />,
    },
    {
      key: 'since',
      head: t('admin.roles.column.since'),
      isFigure: true,
      cell: ({ since }) => <span className="text-12 text-muted">{utcText(since)}</span>,
    },
  ],
  line: ({ person, address, role, since }) => ({
    title: person,
    aside: utcText(since),
    text: shortestAddress(address),
    tags: <RolePill role={role} />,
  }),
})

interface RoleDetailsProps {
  entry: AdminEntry
  isOwner: boolean
  onChange: () => void
  onTake: () => void
}

/** One wallet with its role, its actions, and for owners the changes that they can propose. */
function RoleDetails({ entry, isOwner, onChange, onTake }: RoleDetailsProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-20 font-semibold">{entry.person}</h2>
      <Facts>
        <Fact label={t('admin.roles.number')}>{entry.person_number}</Fact>
        <Fact label={t('admin.roles.column.role')}>
          <RolePill role={entry.role} />
        </Fact>
        <Fact label={t('admin.roles.column.since')}>
          <UtcTime value={entry.since} />
        </Fact>
        <AddressFact label={t('admin.roles.column.wallet')} value={entry.address} form="full" />
      </Facts>
      <PageLink
        to="/pages/admin/log"
        search={{ q: entry.address.toLowerCase() }}
        className={buttonClass('secondary')}
      >
        {t('admin.roles.log')}
      </PageLink>
      {isOwner && (
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" className="flex-1" onClick={onTake}>
            {t('admin.roles.take')}
          </Button>
          <Button className="flex-1" onClick={onChange}>
            {t('admin.roles.change')}
          </Button>
        </div>
      )}
    </div>
  )
}
