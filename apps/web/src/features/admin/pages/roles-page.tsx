import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../lib/queries.ts'
import { Address } from '../../../ui/address.tsx'
import { Card } from '../../../ui/card.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { ErrorState, ListSkeleton } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { AdminPage } from '../components/admin-page.tsx'

/** Who may do what on the operator's side. */
export default function RolesPage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('adminRoles'))
  return (
    <AdminPage title={t('admin.area.roles')}>
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data === undefined && !isError && <ListSkeleton />}
      {data !== undefined && (
        <Card className="flex flex-col divide-y divide-line py-1">
          {data.items.map((admin) => (
            <div key={admin.address} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-14">
              <span className="min-w-32 flex-1 text-16">{admin.person}</span>
              <Address value={admin.address} />
              <Pill tone="info">{t(`admin.role.${admin.role}`)}</Pill>
              <span className="text-muted">
                <Time value={admin.since} />
              </span>
            </div>
          ))}
        </Card>
      )}
    </AdminPage>
  )
}
