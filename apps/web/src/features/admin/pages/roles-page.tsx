import type { AdminRole } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  CardSection,
  Loaded,
  Notice,
  Pill,
  Segmented,
  TextField,
  Time,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { PrepareSheet, type Wanted } from '../proposals/use-proposals.tsx'

/** The roles on the operator's side; owners propose changes, another owner approves them. */
export default function RolesPage() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useQuery(apiQuery('adminRoles'))
  const [wanted, setWanted] = useState<Wanted | null>(null)
  return (
    <AdminPage title={t('admin.area.roles')}>
      <Notice tone="info">{t('admin.roles.about')}</Notice>
      <Loaded query={query}>
        {(data) => (
          <Card className="flex flex-col divide-y divide-line py-1">
            {data.items.map(({ address, person, role, since }) => (
              <div key={address} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-14">
                <span className="min-w-32 flex-1 text-16">{person}</span>
                <Address value={address} />
                <Pill tone="info">{t(`admin.role.${role}`)}</Pill>
                <span className="text-muted">
                  <Time value={since} />
                </span>
                {may('owner') && (
                  <Button
                    variant="quiet"
                    onClick={() => setWanted({ kind: 'role', payload: { address, person, role: null } })}
                  >
                    {t('admin.roles.take')}
                  </Button>
                )}
              </div>
            ))}
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

export interface RoleWish {
  address: string
  person: string
  role: AdminRole
}

/** Asks for a role for a wallet; another owner approves it. */
export function RoleForm({ onSubmit }: { onSubmit: (wish: RoleWish) => void }) {
  const { t } = useTranslation()
  const [role, setRole] = useState<AdminRole>('viewer')
  const form = useForm({ defaultValues: { address: '', person: '' } })
  const { errors } = form.formState
  return (
    <CardSection title={t('admin.roles.give')}>
      <form
        className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_1fr_auto_auto]"
        onSubmit={form.handleSubmit(({ address, person }) =>
          onSubmit({ address: address.trim(), person: person.trim(), role }),
        )}
      >
        <TextField
          label={t('admin.roles.wallet')}
          error={errors.address?.message}
          {...form.register('address', {
            validate: (value) => /^0x[0-9a-fA-F]{40}$/.test(value.trim()) || t('admin.roles.badWallet'),
          })}
        />
        <TextField
          label={t('admin.roles.person')}
          hint={t('admin.roles.personHint')}
          error={errors.person?.message}
          maxLength={60}
          {...form.register('person', {
            validate: (value) => value.trim() !== '' || t('admin.roles.noPerson'),
          })}
        />
        <div className="lg:pt-6">
          <Segmented
            label={t('admin.field.role')}
            options={ROLES.map((value) => ({ value, label: t(`admin.role.${value}`) }))}
            value={role}
            onChange={setRole}
          />
        </div>
        <Button type="submit" className="lg:mt-7">
          {t('admin.preview')}
        </Button>
      </form>
    </CardSection>
  )
}
