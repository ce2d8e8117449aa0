import type { PauseArea, RouteData } from '@rif/api-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery, useSession, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Button, Card, Fact, Facts, ListSkeleton, Loaded, Page, Pill, Section } from '../../../ui/index.ts'
import { AdminName, AdminPage, useMay } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'
import { BankSwitches } from '../emergency/bank-switches.tsx'
import { BankWatch } from '../emergency/bank-watch.tsx'
import { ChainNodes } from '../emergency/chain-nodes.tsx'
import { DirectBanks, type DirectReason } from '../emergency/direct-banks.tsx'
import { GuardCard } from '../emergency/guard-card.tsx'
import { ReorganisationCard } from '../emergency/reorganisation-card.tsx'
import { isAdmin } from '../is-admin.ts'
import { PrepareSheet, useWanted, type Wanted } from '../proposals/use-proposals.tsx'

type Entry = RouteData<'emergency'>['items'][number]

const PLACE = 'emergency'

/**
 * Everything for admins. For others, and while the product does not answer, the bank contract's own switches, which need a wallet
 * only.
 */
export default function EmergencyPage() {
  const { token } = useSession()
  const isSignedIn = token !== ''
  const client = useQueryClient()
  const admin = useQuery({
    queryKey: ['isAdmin', token],
    queryFn: () => isAdmin({ patient: false }),
    enabled: isSignedIn,
    // Who comes from another page of operators is one.
    initialData: () => client.getQueryState(apiQuery('adminMe').queryKey)?.status === 'success' || undefined,
  })
  if (!isSignedIn) return <WalletOnly reason="signedOut" />
  if (admin.data === true) return <AdminsPage />
  if (admin.data === false) return <WalletOnly reason="noRole" />
  return <WalletOnly reason={admin.isError ? 'away' : null} />
}

/** The page of those whom the server does not know, or who wait for it. */
function WalletOnly({ reason }: { reason: DirectReason | null }) {
  const { t } = useTranslation()
  return (
    <Page wide title={t('admin.area.emergency')}>
      {reason === null ? <ListSkeleton rows={4} /> : <DirectBanks reason={reason} />}
    </Page>
  )
}

/**
 * Pauses areas, each separately; one owner pauses, two resume. Shows the guard, the bank contract and the
 * chain.
 */
function AdminsPage() {
  const { t } = useTranslation()
  const query = useQuery({ ...apiQuery('emergency'), refetchInterval: WATCH_MS })
  const [wanted, setWanted] = useWanted(PLACE)
  return (
    <AdminPage title={t('admin.area.emergency')} about={t('admin.emergency.about')}>
      {query.isError && <DirectBanks reason="away" />}
      <Loaded query={query} skeleton={<ListSkeleton rows={4} />}>
        {(data) => (
          <>
            <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
              {data.items.map((entry) => (
                <AreaCard key={entry.area} entry={entry} onWant={setWanted} />
              ))}
            </div>
            <GuardCard report={data.guard} onWant={setWanted} />
            {!query.isError &&
              (data.chain === null ? (
                <DirectBanks reason="noNode" />
              ) : (
                <Section title={t('admin.emergency.chain')}>
                  <BankSwitches chain={data.chain} formerBanks={data.former_banks} />
                </Section>
              ))}
            <BankWatch report={data.watch} />
            <Section title={t('admin.emergency.nodes.title')}>
              <ChainNodes nodes={data.nodes} />
            </Section>
          </>
        )}
      </Loaded>
      <ReorganisationCard onWant={setWanted} />
      {wanted !== null && (
        <PrepareSheet
          title={t(`admin.kind.${wanted.kind}`)}
          wanted={wanted}
          place={PLACE}
          atOnce={wanted.kind === 'pause'}
          onClose={() => {
            setWanted(null)
            void query.refetch()
          }}
        />
      )}
    </AdminPage>
  )
}

function AreaCard({ entry, onWant }: { entry: Entry; onWant: (wanted: Wanted) => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const { area, paused } = entry
  const want = (kind: 'pause' | 'resume', of: PauseArea) => onWant({ kind, payload: { area: of } })
  return (
    <section aria-label={t(`paused.area.${area}`)}>
      <Card className="flex h-full flex-col gap-3">
        <p className="flex items-center justify-between gap-3">
          <span className="text-16 font-semibold">{t(`paused.area.${area}`)}</span>
          <Pill tone={paused === null ? 'good' : 'bad'}>
            {t(paused === null ? 'admin.emergency.running' : 'admin.emergency.paused')}
          </Pill>
        </p>
        <p className="flex-1 text-14 text-muted">{t(`admin.emergency.what.${area}`)}</p>
        {paused !== null && (
          <Facts>
            <Fact label={t('admin.reason')}>{paused.reason}</Fact>
            <UtcTimeFact label={t('admin.emergency.since')} value={paused.since} />
            <Fact label={t('admin.decidedBy')}>
              <AdminName actor={paused.by} />
            </Fact>
          </Facts>
        )}
        {may('owner') &&
          (paused === null ? (
            <Button variant="danger" onClick={() => want('pause', area)}>
              {t('admin.emergency.pause')}
            </Button>
          ) : (
            <Button variant="secondary" onClick={() => want('resume', area)}>
              {t('admin.emergency.resume')}
            </Button>
          ))}
      </Card>
    </section>
  )
}
