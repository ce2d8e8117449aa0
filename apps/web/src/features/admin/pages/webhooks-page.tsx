import type { WebhookEndpoint } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Button, ListSkeleton, Loaded } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { ProposedPanel } from '../proposals/proposed-panel.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { Deliveries } from '../webhooks/deliveries.tsx'
import { DeliverySheet } from '../webhooks/delivery-sheet.tsx'
import { EndpointSheet } from '../webhooks/endpoint-sheet.tsx'
import { Endpoints } from '../webhooks/endpoints.tsx'

/** The endpoints of webhooks and the log of deliveries. */
export default function WebhooksPage() {
  const { t } = useTranslation()
  const may = useMay()
  /** The endpoint to change, or 'new'. */
  const [edited, setEdited] = useState<WebhookEndpoint | 'new' | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const { want, show, sheets } = useProposals()
  const query = useQuery({ ...apiQuery('webhooks'), refetchInterval: WATCH_MS })
  return (
    <AdminPage
      title={t('admin.area.webhooks')}
      about={t('admin.about.webhooks')}
      actions={
        may('operator') &&
        query.data?.ready === true && (
          <Button variant="secondary" onClick={() => setEdited('new')}>
            {t('adminWebhooks.add')}
          </Button>
        )
      }
    >
      <ProposedPanel kind="webhook" onOpen={show} />
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />}>
        {(data) => <Endpoints data={data} onChange={setEdited} />}
      </Loaded>
      {/* Without an endpoint nothing was ever sent. */}
      {query.data?.endpoints.length !== 0 && <Deliveries onOpen={setShown} />}
      {edited !== null && (
        <EndpointSheet
          endpoint={edited === 'new' ? null : edited}
          onSubmit={(wanted, onDone) => {
            setEdited(null)
            want(wanted, onDone)
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {shown !== null && <DeliverySheet deliveryId={shown} onClose={() => setShown(null)} />}
      {sheets}
    </AdminPage>
  )
}
