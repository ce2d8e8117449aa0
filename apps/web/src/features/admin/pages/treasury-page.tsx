import type { BankCallBody, ExitCall, TreasuryExit } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, apiWatchedList, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Button, ListSkeleton, Loaded } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { BankSheet } from '../emergency/bank-sheet.tsx'
import { useProposals, type Wanted } from '../proposals/use-proposals.tsx'
import { DestinationSheet } from '../treasury/destination-sheet.tsx'
import { Destinations } from '../treasury/destinations.tsx'
import { ExitHistory } from '../treasury/exit-history.tsx'
import { ExitSheet } from '../treasury/exit-sheet.tsx'
import { MayTake } from '../treasury/may-take.tsx'
import { OpenExits } from '../treasury/open-exits.tsx'
import { PayoutSheet } from '../treasury/payout-sheet.tsx'
import { UnapprovedExits } from '../treasury/unapproved-exits.tsx'

type OpenSheet =
  | { is: 'payout' | 'destination' }
  | { is: 'exit'; exit: TreasuryExit; step: ExitCall }
  | { is: 'bank'; what: BankCallBody }

/**
 * Shows the available revenue and fees with the limiting reasons, the exits in progress, and the allowed
 * destinations.
 */
export default function TreasuryPage() {
  const { t } = useTranslation()
  const may = useMay()
  const treasury = useQuery({ ...apiQuery('treasury'), refetchInterval: WATCH_MS })
  const places = useQuery({ ...apiQuery('exitDestinations'), refetchInterval: WATCH_MS })
  const bank = useQuery({ ...apiQuery('emergency'), refetchInterval: WATCH_MS }).data?.chain ?? null
  const open = useInfiniteQuery(apiWatchedList('exits', { query: { show: 'open' } }))
  const [openSheet, setOpenSheet] = useState<OpenSheet | null>(null)
  const { want, sheets } = useProposals({ place: 'treasury' })
  const close = () => setOpenSheet(null)
  const propose = (wanted: Wanted, onDone: () => void) => {
    close()
    want(wanted, onDone)
  }
  const destinations = places.data?.items ?? []
  return (
    <AdminPage
      title={t('admin.area.treasury')}
      about={t('admin.about.treasury')}
      actions={
        may('operator') && (
          <Button onClick={() => setOpenSheet({ is: 'payout' })}>{t('admin.treasury.prepare')}</Button>
        )
      }
    >
      <Loaded query={treasury} skeleton={<ListSkeleton rows={4} />}>
        {(data) => (
          <>
            <UnapprovedExits exits={data.unapproved} />
            <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
              <MayTake assets={data.assets} />
              <div className="flex min-w-0 flex-col gap-4">
                <OpenExits
                  query={open}
                  treasury={data}
                  destinations={destinations}
                  you={bank?.you ?? null}
                  onAsk={(exit, step) => setOpenSheet({ is: 'exit', exit, step })}
                />
                <Destinations
                  query={places}
                  bank={bank}
                  onAdd={() => setOpenSheet({ is: 'destination' })}
                  onAsk={(what) => setOpenSheet({ is: 'bank', what })}
                />
              </div>
            </div>
            {openSheet?.is === 'payout' && (
              <PayoutSheet
                assets={data.assets}
                destinations={destinations}
                onSubmit={propose}
                onClose={close}
              />
            )}
          </>
        )}
      </Loaded>
      <ExitHistory />
      {openSheet?.is === 'destination' && <DestinationSheet onSubmit={propose} onClose={close} />}
      {openSheet?.is === 'exit' && <ExitSheet exit={openSheet.exit} step={openSheet.step} onClose={close} />}
      {openSheet?.is === 'bank' && <BankSheet what={openSheet.what} onClose={close} />}
      {sheets}
    </AdminPage>
  )
}
