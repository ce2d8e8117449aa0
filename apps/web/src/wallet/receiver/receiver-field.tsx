import type { Receiver } from '@rif/api-schema'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import {
  ApiError,
  call,
  findAddress,
  formatTime,
  plainText,
  useAppConfig,
  useTranslation,
} from '../../lib/index.ts'
import { Icon, IconButton, Notice, Spinner, TextField } from '../../ui/index.ts'
import { type PaymentRequest, readRequest } from '../request/payment-request.ts'
import { ContactsButton } from './contacts-button.tsx'
import { HistoryButton } from './history-button.tsx'
import { NoteLine } from './names.tsx'

/** The state of an address while it is typed. */
export type ReceiverState =
  | { is: 'empty' | 'incomplete' | 'checking' | 'invalid' | 'unreachable' }
  | { is: 'known'; receiver: Receiver }

const FORM = /^0x[0-9a-fA-F]{40}$/

/** Like `findAddress`; without an address it returns the text itself, so that its problem can be reported. */
export const addressIn = (text: string): string => findAddress(text) ?? plainText(text)

/**
 * Reports whether the browser allows a page to use a camera; it does not for pages loaded over plain HTTP.
 */
const canScan = () => navigator.mediaDevices?.getUserMedia !== undefined

const receiverQuery = (address: string) =>
  queryOptions({
    queryKey: ['receiver', address],
    // Shown beside the field, so not in a toast.
    queryFn: ({ signal }): Promise<Receiver> =>
      call('receiver', { query: { address } }, { signal, quiet: true }),
  })

/** Looks up the owner of an address while typing; only complete addresses are looked up. */
export function useReceiver(typed: string): ReceiverState {
  const text = plainText(typed)
  const address = useDeferredValue(text)
  const query = useQuery({ ...receiverQuery(address), enabled: FORM.test(address) })
  if (text === '') return { is: 'empty' }
  if (!FORM.test(text))
    return { is: text.length < 42 && /^(0?|0x[0-9a-fA-F]*)$/.test(text) ? 'incomplete' : 'invalid' }
  if (address !== text || query.isPending) return { is: 'checking' }
  if (query.data !== undefined) return { is: 'known', receiver: query.data }
  const isRefused = query.error instanceof ApiError && query.error.error === 'INVALID_ADDRESS'
  return { is: isRefused ? 'invalid' : 'unreachable' }
}

/** One line about a typed address, and the warning when it looks like another address. */
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
            : t('receiver.last', { time: formatTime(receiver.last_sent_at) ?? '' })}{' '}
          {receiver.last_sent_at !== null && (
            <HistoryButton address={receiver.address} name={receiver.label} />
          )}
          <NoteLine whole address={receiver.address} className="text-12" />
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

/** An address whose differences to the other one are highlighted. */
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

const ScanSheet = lazy(() => import('./scan-sheet.tsx'))

export interface ReceiverFieldProps {
  value: string
  onChange: (address: string) => void
  onBlur?: () => void
  /** The result of `useReceiver(value)`. */
  state: ReceiverState
  /** The error, shown instead of the remark, but not instead of its warning. */
  error?: string | undefined
  /** Receives the other values of a pasted or scanned request; without it only the address is used. */
  onRequest?: (request: PaymentRequest & { to: string }) => void
  /** "Receiver" by default. */
  label?: string
  aside?: ReactNode
  hint?: string
}

/**
 * The receiver: typed, pasted, scanned or chosen from the address book, with the known data about the address
 * below.
 */
export function ReceiverField(props: ReceiverFieldProps) {
  const { value, onChange, onBlur, state, error, onRequest, aside, hint } = props
  const { t } = useTranslation()
  const config = useAppConfig()
  const [isScanning, setScanning] = useState(false)
  const [isOtherNetwork, setOtherNetwork] = useState(false)
  const take = (text: string) => {
    const request = readRequest(text, location.origin, config)
    setScanning(false)
    setOtherNetwork(request === 'network')
    if (request === 'network') return
    if (request?.to !== undefined && onRequest !== undefined) onRequest({ ...request, to: request.to })
    else onChange(request?.to ?? addressIn(text))
  }
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={props.label ?? t('receiver.label')}
        aside={aside}
        hint={hint}
        placeholder="0x…"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => {
          event.preventDefault()
          take(event.clipboardData.getData('text'))
        }}
        error={error}
        onBlur={onBlur}
        end={
          <span className="-mr-2 flex">
            {canScan() && (
              <IconButton icon="scan" label={t('receiver.scan')} onClick={() => setScanning(true)} />
            )}
            <ContactsButton onPick={onChange} />
          </span>
        }
      />
      {isOtherNetwork && (
        <p role="alert" className="px-1 text-12 text-bad">
          {t('receiver.otherNetwork', { network: config?.chain.name ?? '' })}
        </p>
      )}
      {error === undefined ? (
        <ReceiverRemark state={state} />
      ) : (
        // The error is usually about an address that looks like another one.
        state.is === 'known' && <LookAlikeWarning receiver={state.receiver} />
      )}
      <Suspense>{isScanning && <ScanSheet onFound={take} onClose={() => setScanning(false)} />}</Suspense>
    </div>
  )
}
