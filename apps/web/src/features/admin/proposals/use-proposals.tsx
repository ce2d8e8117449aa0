import type { Proposal, ProposalContent, RouteInput } from '@rif/api-schema'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  draftNames,
  Segmented,
  Sheet,
  StopWaiting,
  TextField,
  useSheetValues,
} from '../../../ui/index.ts'
import { DifferenceView } from './difference-view.tsx'
import { DELAYS, delayText, useDecision } from './proposal-parts.tsx'
import { ProposalSheet } from './proposal-sheet.tsx'
import { sentenceOf } from './proposal-words.ts'

interface Options extends Pick<PrepareSheetProps, 'reasonHint' | 'place'> {
  /** Defaults to the kind's own name. */
  title?: string
  onClose?: () => void
}

type Done = (proposal: Proposal) => void

/**
 * Returns the proposal functions for a page: `want` prepares one, `show` opens one, and `sheets` is to be
 * rendered. At a named place the sheet of a proposal that came from no form opens again after the session ended.
 */
export function useProposals({ title, onClose, place, ...options }: Options = {}): {
  want: (wanted: Wanted, onDone?: Done) => void
  show: (proposalId: string) => void
  sheets: ReactNode
} {
  const { t } = useTranslation()
  const [wish, setWish] = useState<{ wanted: Wanted; onDone: Done | undefined } | null>(() => {
    const wanted = keptWish(place)
    return wanted === null ? null : { wanted, onDone: undefined }
  })
  const [shown, setShown] = useState<string | null>(null)
  const sheets = (
    <>
      {wish !== null && (
        <PrepareSheet
          title={title ?? t(`admin.kind.${wish.wanted.kind}`)}
          wanted={wish.wanted}
          {...options}
          onClose={() => {
            setWish(null)
            onClose?.()
          }}
          // A form opens with its own draft instead, which `onDone` deletes.
          {...(wish.onDone === undefined ? { place } : { onDone: wish.onDone })}
        />
      )}
      {shown !== null && <ProposalSheet proposalId={shown} onClose={() => setShown(null)} />}
    </>
  )
  return { want: (wanted, onDone) => setWish({ wanted, onDone }), show: setShown, sheets }
}

type Body = RouteInput<'prepareProposal'>['body']
/** The content of a proposal of one kind. */
export type PayloadOf<K extends Body['kind']> = Extract<Body, { kind: K }>['payload']
/** A kind of proposal with its content. */
export type Wanted = {
  [K in Body['kind']]: Pick<Extract<Body, { kind: K }>, 'kind' | 'payload'>
}[Body['kind']]

/** The routes that report open proposals. */
const SHOWING_OPEN = [
  'proposals',
  'auditQueue',
  'orderAudit',
  'adminFundProducts',
  'adminFundDesk',
  'revenueDeposits',
] as const

interface PrepareSheetProps {
  title: string
  wanted: Wanted
  /** The name under which the page finds what was wanted when the session has ended. */
  place?: string | undefined
  /** Explains the reason if others than admins read it. */
  reasonHint?: string
  /** For kinds that one person may decide: signed and executed at once by the preparer. */
  atOnce?: boolean
  onClose: () => void
  onDone?: (proposal: Proposal) => void
}

const draftOf = (place: string, wanted: string) => `prepare ${place} ${wanted}`

/** Returns the content of the proposal whose reason was being typed at a place when the session ended. */
function keptWish(place: string | undefined): Wanted | null {
  if (place === undefined) return null
  const start = draftOf(place, '')
  const name = draftNames().find((draftName) => draftName.startsWith(`${start}{`))
  return name === undefined ? null : JSON.parse(name.slice(start.length))
}

/** Returns the proposal for the `PrepareSheet` of a place, which opens again after the session ended. */
export const useWanted = (place: string) => useState(() => keptWish(place))

const NO_REASON = { reason: '', delay: '0' as (typeof DELAYS)[number] }

/** Prepares a proposal of any kind: the reason, then the delay, exactly what it would change, then the way to whoever decides. */
export function PrepareSheet({ title, wanted, place = '', ...props }: PrepareSheetProps) {
  const { reasonHint, atOnce, onClose, onDone } = props
  const { t } = useTranslation()
  const { values, set } = useSheetValues(draftOf(place, JSON.stringify(wanted)), NO_REASON)
  const { reason, delay } = values
  const { decide, busy } = useDecision()
  const prepare = useApiMutation('prepareProposal', { refresh: SHOWING_OPEN })
  const preview = useMutation({
    mutationFn: (body: Body) => call('previewProposal', { body }),
  })
  const body = { ...wanted, reason: reason.trim(), delay_minutes: Number(delay) } as Body
  const isReasonGiven = reason.trim().length >= 3
  const content = preview.data && (JSON.parse(preview.data.content) as ProposalContent)
  const change = (changes: Partial<typeof values>) => {
    set(changes)
    preview.reset()
  }
  const send = async () => {
    const proposal = await prepare.mutateAsync({ body }).catch(() => null)
    if (proposal === null) return
    const ended = atOnce ? await decide(proposal, true, reason.trim()) : proposal
    if (ended === null) return
    if (!atOnce) showToast(t('admin.prepared'), { tone: 'good' })
    onDone?.(ended)
    onClose()
  }
  return (
    <Sheet open onClose={onClose} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReasonGiven && !preview.isPending) void preview.mutateAsync(body).catch(() => undefined)
        }}
      >
        <TextField
          label={t('admin.reason')}
          hint={reasonHint ?? t('admin.reasonHint')}
          value={reason}
          maxLength={400}
          onChange={(event) => change({ reason: event.target.value })}
        />
        {!atOnce && (
          <div className="flex flex-col gap-2">
            <p className="text-14 font-medium">{t('admin.delay')}</p>
            <Segmented
              wraps
              label={t('admin.delay')}
              options={DELAYS.map((value) => ({ value, label: delayText(t, Number(value)) }))}
              value={delay}
              onChange={(value) => change({ delay: value })}
            />
          </div>
        )}
        {content === undefined ? (
          <Button type="submit" busy={preview.isPending} disabled={!isReasonGiven}>
            {t('admin.preview')}
          </Button>
        ) : (
          <>
            <p className="wrap-anywhere text-16 font-semibold">{sentenceOf(t, content.headline)}</p>
            <DifferenceView content={content} />
            <Button busy={prepare.isPending || busy} onClick={() => void send()}>
              {t(atOnce ? 'admin.signAtOnce' : 'admin.prepare')}
            </Button>
            <StopWaiting />
          </>
        )}
      </form>
    </Sheet>
  )
}
