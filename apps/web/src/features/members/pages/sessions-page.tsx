import type { MemberSession } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  LONG_TOAST_MS,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  Columns,
  IconCircle,
  ListSkeleton,
  Loaded,
  Notice,
  Page,
  Pill,
  Time,
} from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'

/** Lists the member's sessions with their devices, and ends them. */
export default function SessionsPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('sessions'))
  const end = useEnd()
  const others = query.data?.items.filter((session) => !session.current) ?? []
  return (
    <Page wide title={t('sessions.title')}>
      <Columns
        side={
          <>
            <Notice>{t('sessions.hint')}</Notice>
            {others.length > 1 && (
              <Button
                variant="danger"
                block
                busy={end.isPending}
                onClick={() => void end.askOthers(others.length)}
              >
                {t('sessions.endOthers')}
              </Button>
            )}
          </>
        }
      >
        <Loaded query={query} skeleton={<ListSkeleton rows={3} joined />}>
          {({ items }) => (
            <Card className="py-1">
              <ul aria-label={t('sessions.title')} className="divide-y divide-line">
                {items.map((session) => (
                  <li key={session.session_id}>
                    <SessionRow
                      session={session}
                      isBusy={end.isPending}
                      onEnd={() => void end.ask(session)}
                    />
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </Loaded>
      </Columns>
    </Page>
  )
}

function useEnd() {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation('endSessions', { refresh: ['sessions'] })
  const ended = {
    onSuccess: () => showToast(t('sessions.ended'), { durationMs: LONG_TOAST_MS, tone: 'good' }),
  }
  return {
    isPending,
    async ask({ session_id, current }: MemberSession) {
      const content = current ? t('sessions.askCurrent') : t('sessions.ask')
      if (!(await showModal({ title: t('sessions.end'), content, confirmText: t('sessions.end') }))) return
      if (current) await signOut()
      else mutate({ body: { session_id } }, ended)
    },
    async askOthers(count: number) {
      const content = t('sessions.askOthers', { count })
      if (await showModal({ title: t('sessions.endOthers'), content, confirmText: t('sessions.end') })) {
        mutate({ body: { others: true } }, ended)
      }
    },
  }
}

const PHONES = /Android|iPhone|iPad/

interface SessionRowProps {
  session: MemberSession
  isBusy: boolean
  onEnd: () => void
}

/** A device on one line: what it is, when it was used and signed in, and how to sign it out. */
function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const { t } = useTranslation()
  const device = session.device ?? t('sessions.unknown')
  return (
    <div className="flex items-center gap-3 py-3">
      <span className="max-[359px]:hidden">
        <IconCircle icon={PHONES.test(device) ? 'phone' : 'device'} />
      </span>
      <div className="grid min-w-0 flex-1 gap-x-4 xl:grid-cols-3 xl:items-center">
        <p className="flex flex-wrap items-center gap-x-2 text-16 font-medium">
          {device}
          {session.current && <Pill tone="good">{t('sessions.current')}</Pill>}
        </p>
        <p className="text-13 text-muted">
          {t('sessions.used')} <Time value={session.last_used_at} />
        </p>
        <p className="text-13 text-muted">
          {t('sessions.created')} <Time value={session.created_at} />
        </p>
      </div>
      <button
        type="button"
        disabled={isBusy}
        aria-label={t('sessions.endNamed', { device })}
        className="min-h-11 shrink-0 rounded-12 bg-sunken px-4 text-14 font-semibold"
        onClick={onEnd}
      >
        {t('sessions.end')}
      </button>
    </div>
  )
}
