import { useQuery } from '@tanstack/react-query'
import { createStore, useStore } from 'zustand'
import {
  apiQuery,
  formatClock,
  formatSince,
  formatTime,
  PageLink,
  pausesQuery,
  useFiguresTime,
  useLimitedUntil,
  useOutage,
  useTranslation,
} from '../lib/index.ts'
import { HelpLink, StateBar } from '../ui/index.ts'

/** Shows that there is no connection, or none to the server, and the time of the figures. */
export function OfflineBanner() {
  const outage = useOutage()
  return outage === null ? null : <Outage outage={outage} />
}

function Outage({ outage }: { outage: 'device' | 'server' }) {
  const { t } = useTranslation()
  const at = useFiguresTime()
  return (
    <StateBar icon="offline">
      <b className="font-semibold">{t(outage === 'device' ? 'common.offline' : 'common.connectionLost')}</b>{' '}
      {at !== null && t('common.figuresOf', { time: formatSince(at) })}
    </StateBar>
  )
}

/** Shows that the server received too many requests, and when the page continues by itself. */
export function LimitBanner() {
  const { t } = useTranslation()
  const until = useLimitedUntil()
  if (until === 0) return null
  return (
    <StateBar icon="clock" tone="warn">
      {t('common.tooManyRequests', { time: formatClock(until) })}
    </StateBar>
  )
}

/** Shows the areas that the operator has paused and since when. Approved withdrawals can still be claimed. */
export function PausedBanner() {
  const { t } = useTranslation()
  const { data } = useQuery(pausesQuery)
  const paused = data?.paused ?? []
  if (paused.length === 0) return null
  const areas = paused.map((area) => t(`paused.area.${area}`)).join(' · ')
  return (
    <StateBar icon="paused" tone="warn">
      <b className="font-semibold">{t('paused.title', { time: formatSince(data?.paused_since ?? '') })}</b>{' '}
      {t('paused.text', { areas })} <HelpLink inline about="paused" />
    </StateBar>
  )
}

/** Shows the reason why the guard has closed the gate, and since when. Rules, section 13. */
export function GuardBanner() {
  const { t } = useTranslation()
  const { data } = useQuery(pausesQuery)
  const guard = data?.guard ?? []
  if (guard.length === 0) return null
  return (
    <StateBar icon="paused" tone="warn">
      <b className="font-semibold">{t('guard.title', { time: formatSince(data?.guard_since ?? '') })}</b>{' '}
      {guard.map((cause) => t(`guard.cause.${cause}`)).join(' ')} {t('guard.claims')}{' '}
      <PageLink
        to="/pages/solvency"
        className="touch-line inline-block font-semibold underline underline-offset-4"
      >
        {t('guard.more')}
      </PageLink>{' '}
      <HelpLink inline about="guard" />
    </StateBar>
  )
}

const BANKS_MS = 5 * 60_000
/** The time for which members are told of a finished hand-over. */
const TOLD_MS = 14 * 86_400_000

/**
 * Explains the consequences of a hand-over to a new bank contract to members: while it is pending in public,
 * and for two weeks afterwards.
 */
export function NewBankBanner() {
  const { t } = useTranslation()
  const banks = useQuery({ ...apiQuery('config'), refetchInterval: BANKS_MS }).data?.banks ?? []
  const from = banks.find((bank) => bank.hand_over_from !== null)?.hand_over_from ?? null
  const isDone = banks.some((bank) => Date.now() - Date.parse(bank.handed_over_at ?? '') < TOLD_MS)
  if (from === null && !isDone) return null
  return (
    <StateBar icon="info" tone="info">
      {from === null ? t('newBank.done') : t('newBank.queued', { time: formatTime(from) ?? '' })}
    </StateBar>
  )
}

/** True once a newer version of the app is ready. It takes effect on reload; nothing reloads by itself. */
export const updateStore = createStore(() => false)

/** The delay of the service worker after the first screen, so that the member's own requests come first. */
const SETTLE_MS = 3000
const LOOK_AGAIN_MS = 60 * 60_000

/**
 * Installs the service worker that caches the app's shell, and detects a newer version. The app also works
 * without it.
 */
export function startServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => void register().catch(() => undefined), SETTLE_MS)
}

async function register() {
  const registration = await navigator.serviceWorker.register('/service-worker.js')
  const onFound = () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      // The first installation is not an update.
      if (worker.state === 'installed' && navigator.serviceWorker.controller !== null)
        updateStore.setState(true)
    })
  }
  registration.addEventListener('updatefound', onFound)
  if (registration.waiting !== null) updateStore.setState(true)
  setInterval(() => void registration.update().catch(() => undefined), LOOK_AGAIN_MS)
}

/** Offers a newer version of the app; typed text and running flows survive the reload. */
export function UpdateBanner() {
  const { t } = useTranslation()
  const isReady = useStore(updateStore)
  if (!isReady) return null
  return (
    <div role="status" className="bg-accent-soft">
      <div className="column flex items-center gap-3 px-4 py-1 text-14">
        <span className="min-w-0 flex-1">{t('common.updateReady')}</span>
        <button
          type="button"
          className="min-h-11 min-w-11 px-2 font-semibold text-accent"
          onClick={() => window.location.reload()}
        >
          {t('common.reload')}
        </button>
      </div>
    </div>
  )
}
