import type { Receiver } from '@rif/api-schema'
import { formatTime } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { Spinner } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/states.tsx'
import type { ReceiverState } from './use-receiver.ts'

/** One line on a typed address, and the warning of one that could be taken for another. */
export function ReceiverRemark({ state }: { state: ReceiverState }) {
  const { t } = useTranslation()
  if (state.is === 'checking') {
    return (
      <p role="status" className="flex items-center gap-2 px-1 text-12 text-muted">
        <Spinner size={12} />
        {t('receiver.checking')}
      </p>
    )
  }
  if (state.is === 'unreachable') return <p className="px-1 text-12 text-warn">{t('receiver.unreachable')}</p>
  if (state.is !== 'known') return null
  const { receiver } = state
  return (
    <>
      <p role="status" className="flex items-start gap-2 px-1 text-12 text-muted">
        {receiver.registered && <Icon name="check" size={16} className="text-good" />}
        <span className="min-w-0">
          {receiver.label !== null && <b className="font-semibold text-ink">{receiver.label} · </b>}
          {receiver.registered ? t('receiver.registered') : t('receiver.notRegistered')}
          {' · '}
          {receiver.last_sent_at === null
            ? t('receiver.never')
            : t('receiver.last', { time: formatTime(receiver.last_sent_at) ?? '' })}
        </span>
      </p>
      <LookAlikeWarning receiver={receiver} />
    </>
  )
}

/** Both addresses in full below each other, with the characters in which they differ marked. */
export function LookAlikeWarning({ receiver }: { receiver: Receiver }) {
  const { t } = useTranslation()
  const twin = receiver.looks_like
  if (twin === null) return null
  return (
    <div role="alert">
      <Notice tone="bad" title={t('receiver.lookAlike')}>
        <p>{t('receiver.lookAlikeText')}</p>
        <dl className="mt-3 flex flex-col gap-2">
          <dt className="text-12 text-muted">{t('receiver.thisOne')}</dt>
          <dd>
            <Compared address={receiver.address} other={twin.address} />
          </dd>
          <dt className="text-12 text-muted">
            {twin.label === null ? t('receiver.knownOne') : t('receiver.knownAs', { name: twin.label })}
          </dt>
          <dd>
            <Compared address={twin.address} other={receiver.address} />
          </dd>
        </dl>
      </Notice>
    </div>
  )
}

/** An address in which whatever is not as in the other one stands out. */
function Compared({ address, other }: { address: string; other: string }) {
  const differs = (index: number) => address[index]?.toLowerCase() !== other[index]?.toLowerCase()
  return (
    <span className="break-all font-mono text-12">
      {[...address].map((character, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a character's place is what it is
        <span key={index} className={differs(index) ? 'font-semibold text-bad' : 'text-muted'}>
          {character}
        </span>
      ))}
    </span>
  )
}
