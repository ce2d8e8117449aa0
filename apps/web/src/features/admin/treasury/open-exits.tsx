import type { ExitCall, ExitDestination, RouteData, TreasuryExit } from '@rif/api-schema'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAmount, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  ErrorState,
  isDrafted,
  ListSkeleton,
  Notice,
  Pill,
  Section,
  Sheet,
  type Step,
  Stepper,
  TextField,
  useSheetValues,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { AdminName, ShowMore, useMay } from '../components/admin-page.tsx'
import { useSpans } from '../components/span.ts'
import { UtcTime } from '../components/utc-time.tsx'
import { AskSheet } from './ask-sheet.tsx'
import { CheckList } from './check-list.tsx'
import { checksOf, type ExitChecks } from './exit-checks.ts'

/** The roles of the caller's wallet in the bank contract; null while the chain does not answer. */
export type You = NonNullable<RouteData<'emergency'>['chain']>['you'] | null

interface Shared {
  treasury: RouteData<'treasury'>
  destinations: readonly ExitDestination[]
  you: You
  onAsk: (exit: TreasuryExit, step: ExitCall) => void
}

type Pages = InfiniteData<RouteData<'exits'>>

/** The approved or announced exits: progress, the contract's checks, and this wallet's options. */
export function OpenExits({ query, ...shared }: Shared & { query: UseInfiniteQueryResult<Pages> }) {
  const { t } = useTranslation()
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Section
      title={t('admin.treasury.open')}
      aside={<span className="text-12 text-muted">{t('admin.treasury.openAbout')}</span>}
    >
      {items === undefined ? (
        query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={2} />
        )
      ) : items.length === 0 ? (
        <Card>
          <p className="text-14 font-medium">{t('admin.treasury.none')}</p>
          <p className="text-14 text-muted">{t('admin.treasury.noneHint')}</p>
        </Card>
      ) : (
        items.map((exit) => <OpenExit key={exit.exit_id} exit={exit} {...shared} />)
      )}
      <ShowMore query={query} />
    </Section>
  )
}

function OpenExit({ exit, ...shared }: Shared & { exit: TreasuryExit }) {
  const { t } = useTranslation()
  const figures = shared.treasury.assets.find(({ asset }) => asset === exit.asset)
  const checks = checksOf(exit, figures, shared.destinations, Date.now())
  const steps = useSteps(exit, checks)
  const name = t('admin.treasury.exit', {
    amount: formatAmount(exit.amount),
    asset: exit.asset,
    from: exit.source === null ? t('admin.treasury.fromFund') : t(`admin.treasury.from.${exit.source}`),
  })
  const isReady = Object.values(checks).every(Boolean)
  return (
    <section aria-label={name}>
      <Card className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-16 font-semibold">{name}</span>
          <Pill tone={isReady ? 'good' : 'warn'}>
            {t(`admin.treasury.state.${isReady ? 'ready' : exit.state}`)}
          </Pill>
        </p>
        <div className="-mt-3 text-14 text-muted">
          <p className="flex flex-wrap items-center gap-x-2">
            {t('admin.treasury.sentTo', { number: exit.exit_id, name: exit.destination_name })}
            <Address value={exit.destination} />
          </p>
          <p className="wrap-anywhere">{exit.purpose}</p>
        </div>
        <div className="grid grid-cols-1 gap-4 md:max-xl:grid-cols-2">
          <Stepper label={name} steps={steps} />
          <CheckList exit={exit} checks={checks} figures={figures} />
        </div>
        {exit.seen !== null && <Notice>{t(`admin.treasury.seen.${exit.seen.step}`)}</Notice>}
        <ExitButtons exit={exit} checks={checks} {...shared} />
      </Card>
    </section>
  )
}

function useSteps(exit: TreasuryExit, { waited }: ExitChecks): Step[] {
  const { t } = useTranslation()
  const { until } = useSpans()
  const isAnnounced = exit.executable_at !== null
  return [
    {
      id: 'approved',
      title: t('admin.treasury.step.approved'),
      state: 'done',
      time: <UtcTime value={exit.approved_at} />,
      detail: (
        <span className="flex flex-col">
          <AdminName actor={exit.prepared_by} />
          <AdminName actor={exit.approved_by} />
          <span className="flex flex-wrap items-center gap-x-2">
            {t('admin.deposits.paper')} <Address value={exit.document_hash} />
          </span>
        </span>
      ),
    },
    {
      id: 'announced',
      title: t('admin.treasury.step.announced'),
      state: isAnnounced ? 'done' : 'waiting',
      detail:
        exit.announced_tx === null ? t('admin.treasury.byTreasurer') : <TxHash value={exit.announced_tx} />,
    },
    {
      id: 'leaves',
      title: t('admin.treasury.canLeave'),
      state: 'waiting',
      time: exit.executable_at && <UtcTime value={exit.executable_at} />,
      detail:
        exit.executable_at === null || exit.expires_at === null ? (
          t('admin.treasury.afterTwoDays')
        ) : (
          <span className="flex flex-col">
            {!waited && (
              <span className="text-ink">{t('admin.treasury.in', { span: until(exit.executable_at) })}</span>
            )}
            <span>
              {t('admin.emergency.queue.until')} <UtcTime value={exit.expires_at} />
            </span>
          </span>
        ),
    },
  ]
}

function ExitButtons({
  exit,
  checks,
  treasury,
  you,
  onAsk,
}: Shared & { exit: TreasuryExit; checks: ExitChecks }) {
  const { t } = useTranslation()
  const may = useMay()
  const [givesUp, setGivesUp] = useState(() => isDrafted(giveUpDraft(exit)))
  const [asks, setAsks] = useState(false)
  const isTreasurer = treasury.you_are_treasurer === true
  if (exit.state === 'Approved')
    return may('operator') ? (
      <div className="flex flex-wrap gap-3">
        {isTreasurer && (
          <Button onClick={() => onAsk(exit, 'announce')}>{t('admin.treasury.call.announce')}</Button>
        )}
        <Button variant="danger" onClick={() => setGivesUp(true)}>
          {t('admin.treasury.giveUp')}
        </Button>
        {givesUp && <GiveUpSheet exit={exit} onClose={() => setGivesUp(false)} />}
      </div>
    ) : null
  if (exit.state === 'Cancelled')
    return (
      <Notice>
        <span className="flex flex-wrap items-center gap-x-2">
          {t('admin.treasury.wasCancelled')}
          {exit.cancelled_by !== null && <AdminName actor={exit.cancelled_by} />}
        </span>
      </Notice>
    )
  const mayCancel = isTreasurer || (you !== null && (you.guardian || you.pauser || you.admin))
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-3">
        {may('operator') && (
          <Button disabled={!checks.waited} onClick={() => onAsk(exit, 'execute')}>
            {t('admin.treasury.call.execute')}
          </Button>
        )}
        {mayCancel ? (
          <Button variant="danger" onClick={() => onAsk(exit, 'cancel')}>
            {t('admin.treasury.call.cancel')}
          </Button>
        ) : (
          <Button variant="danger" onClick={() => setAsks(true)}>
            {t('admin.treasury.askToCancel')}
          </Button>
        )}
      </div>
      {!mayCancel && <p className="text-12 text-muted">{t('admin.treasury.whoCancels')}</p>}
      {asks && <AskSheet exit={exit} onClose={() => setAsks(false)} />}
    </div>
  )
}

const giveUpDraft = (exit: TreasuryExit) => `give up exit ${exit.exit_id}`

/** Asks for the reason to give up an exit that is not announced yet; its amount is released. */
function GiveUpSheet({ exit, onClose }: { exit: TreasuryExit; onClose: () => void }) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues(giveUpDraft(exit), { reason: '' })
  const withdraw = useApiMutation('withdrawExit', { refresh: ['exits', 'treasury'] })
  const body = { reason: values.reason.trim() }
  return (
    <Sheet open onClose={onClose} title={t('admin.treasury.giveUp')}>
      <div className="flex flex-col gap-4">
        <p className="text-14">{t('admin.treasury.giveUpAbout')}</p>
        <TextField
          label={t('admin.reason')}
          hint={t('admin.reasonHint')}
          maxLength={400}
          value={values.reason}
          onChange={(event) => set({ reason: event.target.value })}
        />
        <Button
          variant="danger"
          busy={withdraw.isPending}
          disabled={body.reason.length < 3}
          onClick={() => withdraw.mutate({ params: { exit_id: exit.exit_id }, body }, { onSuccess: onClose })}
        >
          {t('admin.treasury.giveUp')}
        </Button>
      </div>
    </Sheet>
  )
}
