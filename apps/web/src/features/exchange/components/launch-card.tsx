import type { Launch } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  formatAmount,
  formatPpm,
  LONG_TOAST_MS,
  PageLink,
  showToast,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  checkOf,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  Form,
  Money,
  MoneyFact,
  Notice,
  Pill,
  Section,
  Sheet,
  SheetDock,
  Skeleton,
  TimeFact,
  type Tone,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { judgeLaunch, subscribedPpm } from '../exchange-draft.ts'

const TONES: Record<Launch['phase'], Tone> = {
  Upcoming: 'info',
  Open: 'good',
  Closed: 'warn',
  Allocated: 'neutral',
}

/**
 * A VC launch: the offer, the subscriptions, the member's part, and the form for subscribing VC while it is
 * open.
 */
export function LaunchCard({ launch, vcAvailable }: { launch: Launch; vcAvailable: string | undefined }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { name, introduction, phase, own } = launch
  const filled = subscribedPpm(launch)
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <h3 className="text-16 font-semibold">{name}</h3>
        <Pill tone={TONES[phase]}>{t(`exchange.phase.${phase}`)}</Pill>
      </div>
      {introduction !== '' && <p className="whitespace-pre-line text-14 text-muted">{introduction}</p>}
      <Facts>
        <MoneyFact
          label={t('exchange.launch.allocation')}
          amount={launch.allocation}
          unit={t('exchange.launch.units')}
        />
        <MoneyFact label={t('exchange.launch.price')} price amount={launch.price} unit="VC" />
        <Fact label={t('exchange.launch.subscribed')}>
          <Money amount={launch.subscribed} unit="VC" />
          <span className="block text-12 text-muted">
            {t('exchange.launch.filled', { percent: formatPpm(filled) })}
          </span>
        </Fact>
        <TimeFact
          label={phase === 'Upcoming' ? t('exchange.launch.starts') : t('exchange.launch.ends')}
          value={phase === 'Upcoming' ? launch.starts_at : launch.ends_at}
        />
        {own !== null && <OwnPart own={own} />}
      </Facts>
      {phase === 'Open' && vcAvailable !== undefined && (
        <Button variant="secondary" block onClick={() => setOpen(true)}>
          {t('exchange.launch.putIn')}
        </Button>
      )}
      {open && vcAvailable !== undefined && (
        <SubscribeSheet launch={launch} vcAvailable={vcAvailable} onClose={() => setOpen(false)} />
      )}
    </Card>
  )
}

function OwnPart({ own }: { own: NonNullable<Launch['own']> }) {
  const { t } = useTranslation()
  return (
    <>
      <MoneyFact label={t('exchange.launch.own')} amount={own.vc} unit="VC" className="font-semibold" />
      {own.units !== null && (
        <MoneyFact
          label={t('exchange.launch.position')}
          amount={own.units}
          unit={t('exchange.launch.units')}
          className="font-semibold"
        />
      )}
      {own.spent !== null && <MoneyFact label={t('exchange.launch.spent')} amount={own.spent} unit="VC" />}
      {own.returned !== null && (
        <MoneyFact label={t('exchange.launch.returned')} amount={own.returned} unit="VC" />
      )}
    </>
  )
}

interface SubscribeSheetProps {
  launch: Launch
  vcAvailable: string
  onClose: () => void
}

/** The amount of VC, the allotment if the launch closed now, and the single confirmation. */
function SubscribeSheet({ launch, vcAvailable, onClose }: SubscribeSheetProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `launch-${launch.launch_id}`,
    initial: { amount: '' },
    check: ({ amount }) => checkOf('amount', judgeLaunch(amount, vcAvailable, launch)),
    text: (problem, { amount }) =>
      problem === 'insufficient'
        ? tooMuch(t, { typed: amount, most: vcAvailable })
        : t(`exchange.problem.${problem}`),
  })
  const subscribe = useSignedMutation('subscribeLaunch', { refresh: ['launches', 'exchange', 'me'] })
  const judged = form.checked
  const onSubmit = form.submit(({ amount }) =>
    subscribe.send(
      {
        params: { launch_id: launch.launch_id },
        body: { amount },
        wish: { kind: 'vc_subscription', launchId: launch.launch_id, launch: launch.name, amount },
        needed: true,
      },
      () => {
        form.clear()
        showToast(t('exchange.launch.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
        onClose()
      },
    ),
  )
  const dash = <span className="text-muted">–</span>
  return (
    <Sheet open onClose={onClose} dismissible={!subscribe.isPending} title={launch.name}>
      <Form className="gap-5 pt-2" onSubmit={onSubmit}>
        <AmountField
          label={t('exchange.launch.amount')}
          unit="VC"
          {...form.field('amount')}
          max={vcAvailable}
          aside={t('exchange.launch.available', { amount: formatAmount(vcAvailable) })}
        />
        <Facts>
          <Fact label={t('exchange.launch.wouldGet')}>
            {judged.ok ? (
              <Money
                amount={judged.units}
                unit={t('exchange.launch.units')}
                exact
                className="text-16 font-semibold"
              />
            ) : (
              dash
            )}
          </Fact>
          <Fact label={t('exchange.launch.wouldReturn')}>
            {judged.ok ? <Money amount={judged.returned} unit="VC" exact /> : dash}
          </Fact>
          <Fact label={t('quote.fee')}>{t('quote.noFee')}</Fact>
        </Facts>
        <Notice tone="warn">{t('exchange.launch.note')}</Notice>
        <SheetDock>
          <Button type="submit" moves="exchange" block busy={subscribe.isPending}>
            {t('exchange.launch.confirm')}
          </Button>
        </SheetDock>
      </Form>
    </Sheet>
  )
}

const SHOWN = 3

/** The newest launches. */
export function LaunchSection({ vcAvailable }: { vcAvailable: string }) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('launches', { query: { limit: SHOWN } }))
  return (
    <Section
      title={t('exchange.launch.title')}
      aside={
        <PageLink to="/pages/exchange/list" search={{ show: 'launches' }}>
          {t('exchange.list.all')}
        </PageLink>
      }
    >
      {data === undefined && !isError && <Skeleton className="h-52 rounded-12" />}
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <EmptyState
          icon="fund"
          title={t('exchange.launch.empty')}
          hint={t('exchange.launch.emptyHint')}
          next={{ to: '/pages/exchange/list', label: t('exchange.list.title') }}
        />
      )}
      {data?.items.map((launch) => (
        <LaunchCard key={launch.launch_id} launch={launch} vcAvailable={vcAvailable} />
      ))}
    </Section>
  )
}
