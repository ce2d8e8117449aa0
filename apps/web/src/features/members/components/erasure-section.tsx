import type { KeptBecause, OpenMatter, RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatTime,
  type PlainPath,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  CardSection,
  Facts,
  Icon,
  LinkRow,
  Loaded,
  MoneyFact,
  Notice,
  NoticeLink,
  Section,
  Skeleton,
  StopWaiting,
} from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'

type Erasure = RouteData<'erasure'>

const ERASED = ['contacts', 'notes', 'notices', 'sessions', 'files'] as const
const KEPT: readonly KeptBecause[] = ['books', 'team', 'chain', 'evidence', 'others', 'expires']

/** The page of an unfinished matter, with its icon. */
const OPEN = {
  order: ['/pages/shop/orderList', 'shop'],
  withdrawal: ['/pages/withdrawal/list', 'withdraw'],
  transfer: ['/pages/transfer/list', 'transfer'],
  fund: ['/pages/found/my', 'fund'],
  standing: ['/pages/savings/index', 'savings'],
} as const satisfies Record<OpenMatter, readonly [PlainPath, string]>

/** Explains what an erasure deletes and what remains, and lets the member request or cancel it. */
export function ErasureSection() {
  const query = useQuery(apiQuery('erasure'))
  return (
    <Loaded query={query} skeleton={<Skeleton className="h-64 rounded-16" />}>
      {(erasure) => <ErasureParts erasure={erasure} />}
    </Loaded>
  )
}

function ErasureParts({ erasure }: { erasure: Erasure }) {
  const { t } = useTranslation()
  return (
    <>
      <Section title={t('erasure.title')}>
        <Card className="flex flex-col gap-3 text-14">
          <p>{t('erasure.text')}</p>
          <ul aria-label={t('erasure.goes')} className="flex flex-col gap-3">
            {ERASED.map((name) => (
              <li key={name} className="flex gap-2">
                <Icon name="close" size={20} className="text-muted" />
                {t(`erasure.gone.${name}`)}
              </li>
            ))}
          </ul>
        </Card>
      </Section>
      <CardSection title={t('erasure.stays')}>
        <ul className="flex flex-col gap-3 text-14">
          {KEPT.map((reason) => (
            <li key={reason} className="flex gap-2">
              <Icon name="check" size={20} className="text-muted" />
              {t(`erasure.because.${reason}`)}
            </li>
          ))}
        </ul>
      </CardSection>
      <Held erasure={erasure} />
      {erasure.state === 'waiting' ? <Waiting erasure={erasure} /> : <Request erasure={erasure} />}
    </>
  )
}

/** The money and the open matters of a member who may want to leave for good. */
function Held({ erasure: { balances, open } }: { erasure: Erasure }) {
  const { t } = useTranslation()
  if (balances.length === 0 && open.length === 0) return null
  return (
    <Section title={t('erasure.held')}>
      <Notice
        tone="warn"
        action={<NoticeLink to="/pages/withdrawal/index">{t('erasure.withdraw')}</NoticeLink>}
      >
        {t('erasure.heldText')}
      </Notice>
      {balances.length > 0 && (
        <Card>
          <Facts>
            {balances.map(({ asset, amount }) => (
              <MoneyFact key={asset} label={asset} amount={amount} unit={asset} />
            ))}
          </Facts>
        </Card>
      )}
      {open.length > 0 && (
        <Card className="py-1">
          {open.map(({ what, count }) => {
            const [to, icon] = OPEN[what]
            return <LinkRow key={what} to={to} icon={icon} title={t(`erasure.open.${what}`, { count })} />
          })}
        </Card>
      )}
    </Section>
  )
}

function Request({ erasure: { done_at, wait_days } }: { erasure: Erasure }) {
  const { t } = useTranslation()
  const request = useSignedMutation('requestErasure', { refresh: ['erasure'] })
  const ask = async () => {
    const title = t('erasure.ask')
    const content = t('erasure.askText', { days: wait_days })
    if (!(await showModal({ title, content, confirmText: t('erasure.sign') }))) return
    request.send({ body: {}, wish: { kind: 'erase_data' }, needed: true }, () => undefined)
  }
  return (
    <>
      {done_at !== null && (
        <Notice tone="good" title={t('erasure.done', { at: formatTime(done_at) ?? '' })}>
          {t('erasure.doneText')}
        </Notice>
      )}
      <Button
        block
        variant="danger"
        disabled={!request.isReady}
        busy={request.isPending}
        onClick={() => void ask()}
      >
        {t('erasure.request')}
      </Button>
      <StopWaiting />
    </>
  )
}

function Waiting({ erasure: { due_at, on_hold } }: { erasure: Erasure }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation('cancelErasure', { refresh: ['erasure'] })
  const kept = { onSuccess: () => showToast(t('erasure.kept'), { tone: 'good' }) }
  return (
    <>
      <Notice tone="warn" title={t('erasure.waiting', { at: formatTime(due_at ?? '') ?? '' })}>
        {t(on_hold ? 'erasure.onHold' : 'erasure.waitingText')}
      </Notice>
      <Button block variant="secondary" busy={isPending} onClick={() => mutate({}, kept)}>
        {t('erasure.keep')}
      </Button>
    </>
  )
}
