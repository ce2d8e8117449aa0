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
  ErrorState,
  Fact,
  Facts,
  Icon,
  ListSkeleton,
  Notice,
  Page,
  Pill,
  Time,
} from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'

/** Lists the member's sessions with their devices, and ends them. */
export default function SessionsPage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('sessions'))
  const end = useEnd()
  const others = data?.items.filter((session) => !session.current) ?? []
  return (
    <Page title={t('sessions.title')}>
      <Notice>{t('sessions.hint')}</Notice>
      {data === undefined &&
        (isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={3} />)}
      <ul aria-label={t('sessions.title')} className="flex flex-col gap-3">
        {data?.items.map((session) => (
          <li key={session.session_id}>
            <SessionCard session={session} isBusy={end.isPending} onEnd={() => void end.ask(session)} />
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button variant="danger" block busy={end.isPending} onClick={() => void end.askOthers(others.length)}>
          {t('sessions.endOthers')}
        </Button>
      )}
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

interface SessionCardProps {
  session: MemberSession
  isBusy: boolean
  onEnd: () => void
}

function SessionCard({ session, isBusy, onEnd }: SessionCardProps) {
  const { t } = useTranslation()
  const device = session.device ?? t('sessions.unknown')
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <span className="grid size-11 shrink-0 place-items-center rounded-12 bg-sunken">
          <Icon name={PHONES.test(device) ? 'phone' : 'device'} size={20} />
        </span>
        <p className="min-w-0 flex-1 text-16 font-medium">{device}</p>
        {session.current && <Pill tone="good">{t('sessions.current')}</Pill>}
      </div>
      <Facts>
        <Fact label={t('sessions.used')}>
          <Time value={session.last_used_at} />
        </Fact>
        <Fact label={t('sessions.created')}>
          <Time value={session.created_at} />
        </Fact>
      </Facts>
      <Button
        variant="secondary"
        block
        disabled={isBusy}
        aria-label={t('sessions.endNamed', { device })}
        onClick={onEnd}
      >
        {t('sessions.end')}
      </Button>
    </Card>
  )
}
