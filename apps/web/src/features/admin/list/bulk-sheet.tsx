import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError, TransportError, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Icon,
  Notice,
  Sheet,
  Spinner,
  StopWaiting,
  TextField,
  useSheetValues,
} from '../../../ui/index.ts'
import { walletErrorText } from '../../../wallet/provider.ts'

/** A step of a bulk action. */
export interface BulkStep {
  readonly key: string
  readonly label: string
  /** Returns the result. Throws errors. */
  readonly run: (reason: string) => Promise<string>
}

interface BulkSheetProps {
  title: string
  /** The totals, and the effect. */
  summary: ReactNode
  reasonLabel: string
  /** The minimum length of the reason. */
  reasonLetters: number
  /** The initial reason. */
  reasonOffered?: string
  confirmText: string
  isDanger?: boolean
  steps: readonly BulkStep[]
  onClose: (hasRun: boolean) => void
}

type Outcome = { readonly state: 'running' } | { readonly state: 'done' | 'failed'; readonly text: string }

/**
 * Confirms several actions at once, with their totals. They run one after the other; each row shows its
 * result, a failure does not stop the rest, and failed ones can be run again.
 */
export function BulkSheet(props: BulkSheetProps) {
  const { t } = useTranslation()
  const { steps, reasonLetters, onClose } = props
  const client = useQueryClient()
  const { values, set } = useSheetValues(`${props.confirmText} ${steps.map(({ key }) => key).join(' ')}`, {
    reason: props.reasonOffered ?? '',
  })
  const { reason } = values
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({})
  const [isBusy, setBusy] = useState(false)
  const has = (state: Outcome['state']) => steps.filter(({ key }) => outcomes[key]?.state === state)
  const [done, failed] = [has('done'), has('failed')]
  const hasRun = !isBusy && done.length + failed.length > 0
  const run = async () => {
    setBusy(true)
    for (const { key, run: act } of steps) {
      if (outcomes[key]?.state === 'done') continue
      setOutcomes((all) => ({ ...all, [key]: { state: 'running' } }))
      const outcome = await act(reason.trim()).then(
        (text): Outcome => ({ state: 'done', text }),
        (error: unknown): Outcome => ({ state: 'failed', text: failureText(error) }),
      )
      setOutcomes((all) => ({ ...all, [key]: outcome }))
    }
    setBusy(false)
    await client.invalidateQueries()
  }
  return (
    <Sheet open onClose={() => onClose(hasRun)} dismissible={!isBusy} title={props.title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim().length >= reasonLetters && !isBusy) void run()
        }}
      >
        <div className="text-14">{props.summary}</div>
        <ul
          aria-label={props.title}
          className="flex max-h-72 flex-col divide-y divide-line overflow-y-auto text-14"
        >
          {steps.map(({ key, label }) => (
            <li key={key} className="flex items-start gap-3 py-2">
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere block">{label}</span>
                <OutcomeText outcome={outcomes[key]} />
              </span>
              <OutcomeIcon outcome={outcomes[key]} />
            </li>
          ))}
        </ul>
        <div role="status">
          {hasRun && (
            <Notice tone={failed.length === 0 ? 'good' : 'warn'}>
              {t('desk.bulk.result', { done: done.length, failed: failed.length })}
            </Notice>
          )}
        </div>
        {!hasRun && (
          <TextField
            label={props.reasonLabel}
            value={reason}
            maxLength={400}
            disabled={isBusy}
            onChange={(event) => set({ reason: event.target.value })}
          />
        )}
        {hasRun && failed.length === 0 ? (
          <Button onClick={() => onClose(true)}>{t('common.ok')}</Button>
        ) : (
          <Button
            type="submit"
            variant={props.isDanger ? 'danger' : 'primary'}
            busy={isBusy}
            disabled={reason.trim().length < reasonLetters}
          >
            {hasRun ? t('desk.bulk.again', { count: failed.length }) : props.confirmText}
          </Button>
        )}
        <StopWaiting />
      </form>
    </Sheet>
  )
}

function OutcomeText({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined || outcome.state === 'running') return null
  return (
    <span className={outcome.state === 'done' ? 'block text-12 text-good' : 'block text-12 text-bad'}>
      {outcome.text}
    </span>
  )
}

function OutcomeIcon({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return null
  if (outcome.state === 'running') return <Spinner size={16} />
  const isDone = outcome.state === 'done'
  return (
    <Icon
      name={isDone ? 'check' : 'close'}
      size={16}
      className={isDone ? 'mt-0.5 text-good' : 'mt-0.5 text-bad'}
    />
  )
}

/** Returns the failure of an action in the operator's language. */
function failureText(error: unknown): string {
  if (error instanceof ApiError || error instanceof TransportError) return error.message
  return walletErrorText(error)
}
