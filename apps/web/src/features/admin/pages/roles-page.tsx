import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, ErrorState, ListSkeleton, Notice, Pill, Time } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { PrepareSheet, type Wanted } from '../proposals/prepare-sheet.tsx'
import { RoleForm } from '../roles/role-form.tsx'
import { useMay } from '../use-role.ts'

/** Who may do what on the operator's side; owners propose changes, another owner approves them. */
export default function RolesPage() {
  const { t } = useTranslation()
  const may = useMay()
  const { data, isError, refetch } = useQuery(apiQuery('adminRoles'))
  const [wanted, setWanted] = useState<Wanted | null>(null)
  return (
    <AdminPage title={t('admin.area.roles')}>
      <Notice tone="info">{t('admin.roles.about')}</Notice>
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data === undefined && !isError && <ListSkeleton />}
      {data !== undefined && (
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
      {may('owner') && <RoleForm onSubmit={(payload) => setWanted({ kind: 'role', payload })} />}
      {wanted !== null && (
        <PrepareSheet title={t('admin.kind.role')} wanted={wanted} onClose={() => setWanted(null)} />
      )}
    </AdminPage>
  )
}
