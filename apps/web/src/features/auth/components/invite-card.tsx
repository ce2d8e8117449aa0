import type { PlacementSide } from '@rif/api-schema'
import { INVITE_CODE_LENGTH, normaliseInviteCode } from '@rif/rules'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError, call, type InviteNode, useSettled, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  Button,
  Card,
  HelpLink,
  Icon,
  Pill,
  Segmented,
  Skeleton,
  TextField,
} from '../../../ui/index.ts'

export interface InviteCardProps {
  /**
   * The invitation from a link, or the one that was typed and submitted; null shows the fields for the draft.
   */
  invite: InviteNode | null
  draft: InviteNode
  /** True when the form was submitted without a code. */
  isMissing: boolean
  onDraft: (draft: InviteNode) => void
  onRemove: () => void
}

/** The invitation that a first sign-in needs: whose it is and on which side one will stand, or the fields for it. The page's form submits them. */
export default function InviteCard({ invite, onRemove, ...fields }: InviteCardProps) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-16 font-semibold">{t('login.invitation')}</h2>
        {invite !== null && (
          <Button variant="quiet" className="-my-3 -mr-3 px-3! text-14!" onClick={onRemove}>
            {t('login.otherCode')}
          </Button>
        )}
      </div>
      {invite === null ? <InviteFields {...fields} /> : <Invitation invite={invite} />}
    </Card>
  )
}

function Invitation({ invite }: { invite: InviteNode }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(invitationQuery(invite.code))
  const problem = error === null ? null : isUnknown(error) ? t('login.codeUnknown') : error.message
  return (
    <div className="flex items-center gap-3">
      {data === undefined ? (
        <Skeleton className="size-10 rounded-full" />
      ) : (
        <Avatar address={data.sponsor_address} />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <span>{t('login.codeIs', { code: invite.code })}</span>
          <Pill>{t(`side.${invite.side}`)}</Pill>
        </p>
        {problem !== null ? (
          <p className="text-14 text-bad">
            {problem} <HelpLink inline about="signIn.failed" />
          </p>
        ) : data === undefined ? (
          <Skeleton className="mt-1 h-4 w-40" />
        ) : (
          <p className="text-14 text-muted">
            <Address value={data.sponsor_address} />
          </p>
        )}
      </div>
    </div>
  )
}

const invitationQuery = (code: string) =>
  queryOptions({
    queryKey: ['invitation', code],
    // Its problem is shown beside the code, so not in a toast.
    queryFn: ({ signal }) => call('invitation', { query: { code } }, { signal, quiet: true }),
  })

const isUnknown = (error: Error | null) => error instanceof ApiError && error.error === 'INVITATION_INVALID'

/** Judges a typed code once typing pauses: its problem, or the sponsor's address. Looks up complete codes only. */
function useTypedCode(typed: string): { problem?: string; sponsor?: string } {
  const { t } = useTranslation()
  const code = normaliseInviteCode(useSettled(typed))
  const missing = INVITE_CODE_LENGTH - code.length
  const { data, error } = useQuery({ ...invitationQuery(code), enabled: missing === 0 })
  if (code === '') return {}
  if (missing === 0)
    return { problem: isUnknown(error) ? t('login.codeUnknown') : undefined, sponsor: data?.sponsor_address }
  const detail = t(missing > 0 ? 'fault.short' : 'fault.long', { count: Math.abs(missing) })
  return { problem: `${t('login.codeUnknown')} · ${detail}` }
}

const SIDES: readonly PlacementSide[] = ['auto', 'left', 'right']

function InviteFields({ draft, isMissing, onDraft }: Omit<InviteCardProps, 'invite' | 'onRemove'>) {
  const { t } = useTranslation()
  const code = useRef<HTMLInputElement>(null)
  const { problem, sponsor } = useTypedCode(draft.code)
  useEffect(() => {
    if (isMissing) code.current?.focus()
  }, [isMissing])
  return (
    <>
      <TextField
        ref={code}
        label={t('login.code')}
        hint={
          sponsor === undefined ? (
            t('login.codeHint')
          ) : (
            <span className="flex items-center gap-2">
              <Icon name="check" size={16} className="text-good" />
              <Address value={sponsor} copy={false} />
            </span>
          )
        }
        error={isMissing ? t('login.codeMissing') : problem}
        maxLength={32}
        value={draft.code}
        onChange={(event) => onDraft({ ...draft, code: event.target.value })}
      />
      <Segmented
        label={t('login.side')}
        options={SIDES.map((side) => ({ value: side, label: t(`side.${side}`) }))}
        value={draft.side}
        onChange={(side) => onDraft({ ...draft, side })}
      />
    </>
  )
}
