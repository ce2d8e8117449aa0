import type { AdminRole } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  CardSection,
  type Checked,
  DataTable,
  Loaded,
  Pill,
  Segmented,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { PrepareSheet, type Wanted } from '../proposals/use-proposals.tsx'

/** The roles on the operator's side; owners propose changes, another owner approves them. */
export default function RolesPage() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery(apiQuery('adminRoles'))
  const [wanted, setWanted] = useState<Wanted | null>(null)
  return (
    <AdminPage title={t('admin.area.roles')} about={t('admin.roles.about')}>
      <Loaded query={query}>
        {(data) => (
          <Card>
            <DataTable
              stacks
              caption={t('admin.area.roles')}
              head={(
                ['name', 'wallet', 'role', 'since', ...(may('owner') ? (['change'] as const) : [])] as const
              ).map((name) => t(`admin.roles.column.${name}`))}
              words={[1, 2, 3]}
              rows={data.items.map(({ address, person, role, since }) => ({
                key: address,
                cells: [
                  <span key="person" className="font-medium">
                    {person}
                  </span>,
                  <Address key="wallet" value={address} />,
                  <Pill key="role" tone="info">
                    {t(`admin.role.${role}`)}
                  </Pill>,
                  <UtcTime key="since" value={since} />,
                  ...(may('owner')
                    ? [
                        <Button
                          key="take"
                          variant="quiet"
                          onClick={() =>
                            setWanted({ kind: 'role', payload: { address, person, role: null } })
                          }
                        >
                          {t('admin.roles.take')}
                        </Button>,
                      ]
                    : []),
                ],
              }))}
            />
          </Card>
        )}
      </Loaded>
      {may('owner') && <RoleForm onSubmit={(payload) => setWanted({ kind: 'role', payload })} />}
      {wanted !== null && (
        <PrepareSheet title={t('admin.kind.role')} wanted={wanted} onClose={() => setWanted(null)} />
      )}
    </AdminPage>
  )
}

const ROLES: readonly AdminRole[] = ['viewer', 'operator', 'approver', 'owner']

interface RoleWish {
  address: string
  person: string
  role: AdminRole
}

const EMPTY: RoleWish = { address: '', person: '', role: 'viewer' }

function checkRole(
  text: RoleWish,
): Checked<RoleWish, { ok: true; wish: RoleWish }, 'badWallet' | 'noPerson'> {
  const wish = { address: text.address.trim(), person: text.person.trim(), role: text.role }
  const isWallet = /^0x[0-9a-fA-F]{40}$/.test(wish.address)
  if (isWallet && wish.person !== '') return { ok: true, wish }
  return {
    ok: false,
    problems: {
      ...(!isWallet && { address: 'badWallet' }),
      ...(wish.person === '' && { person: 'noPerson' }),
    },
  }
}

/** Asks for a role for a wallet; another owner approves it. */
function RoleForm({ onSubmit }: { onSubmit: (wish: RoleWish) => void }) {
  const { t } = useTranslation()
  const { field, textField, submit } = useDraftForm({
    initial: EMPTY,
    check: checkRole,
    text: (problem) => t(`admin.roles.${problem}`),
    recheck: true,
  })
  return (
    <CardSection title={t('admin.roles.give')}>
      <form
        className="grid grid-cols-1 items-start gap-4 md:grid-cols-2"
        onSubmit={submit(({ wish }) => onSubmit(wish))}
      >
        <TextField label={t('admin.roles.wallet')} {...textField('address')} />
        <TextField
          label={t('admin.roles.person')}
          hint={t('admin.roles.personHint')}
          maxLength={60}
          {...textField('person')}
        />
        <div className="min-w-0">
          <Segmented
            label={t('admin.field.role')}
            options={ROLES.map((value) => ({ value, label: t(`admin.role.${value}`) }))}
            {...field('role')}
          />
        </div>
        <Button type="submit" className="md:justify-self-end">
          {t('admin.preview')}
        </Button>
      </form>
    </CardSection>
  )
}
