import type { MemberLabel, RouteData, TeamMember } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  apiQuery,
  formatCount,
  isShownText,
  levelName,
  plainText,
  shortAddress,
  showToast,
  useApiMutation,
  useSettled,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  ButtonStack,
  EmptyState,
  ErrorState,
  Icon,
  ListSkeleton,
  Notice,
  Sheet,
  Skeleton,
  Switch,
  TextField,
  useSheetValues,
} from '../../../ui/index.ts'
import { NoteLine, useNamed } from '../../../wallet/receiver/names.tsx'
import { NoteField, useNoteDraft } from '../../../wallet/receiver/note-draft.tsx'
import { InviteLink } from '../components/invite-link.tsx'
import type { TreeEntry } from './tree-model.ts'
import type { FreePlace } from './use-tree.ts'

const MAX_LENGTH = 40

export interface LabelSheetProps {
  entry: TreeEntry | null
  label: MemberLabel | undefined
  onClose: () => void
}

/** The member's own name and pin for a node. It is private and moves nobody. */
export function LabelSheet({ entry, label, onClose }: LabelSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={entry !== null}
      onClose={onClose}
      title={t('tree.edit')}
      description={entry === null ? '' : t('tree.editHint', { address: shortAddress(entry.member.label) })}
    >
      {entry !== null && <LabelForm key={entry.member.id} entry={entry} label={label} onClose={onClose} />}
    </Sheet>
  )
}

function LabelForm({ entry, label, onClose }: LabelSheetProps & { entry: TreeEntry }) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues(`label ${entry.member.id}`, {
    text: label?.label ?? '',
    pinned: label?.pinned ?? false,
  })
  const { text, pinned } = values
  const save = useApiMutation('setLabel', { refresh: ['labels', 'names'] })
  const note = useNoteDraft(entry.member.label)
  const isOdd = !isShownText(text)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isOdd || note.isOdd) return
    try {
      await note.save()
      await save.mutateAsync({ body: { member_id: entry.member.id, label: text.trim(), pinned } })
      showToast(t('tree.saved'), { tone: 'good' })
      onClose()
    } catch {
      // Shown by the API client; the text stays.
    }
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('tree.label')}
        hint={t('tree.labelHint')}
        error={isOdd ? t('tree.labelOdd') : undefined}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => set({ text: event.target.value })}
      />
      <NoteField draft={note} />
      <Switch label={t('tree.pin')} checked={pinned} onChange={(value) => set({ pinned: value })} />
      <ButtonStack>
        <Button type="submit" block busy={save.isPending || note.isPending}>
          {t('tree.save')}
        </Button>
      </ButtonStack>
    </form>
  )
}

export interface PlaceSheetProps {
  place: FreePlace | null
  ownId: string
  onClose: () => void
  /** Shows a member in the tree. */
  onShow: (id: string) => void
}

/**
 * The invitation to a free place. Placement follows the rules (section 3): a link leads to the outer end of
 * the member's own left or right side, so for any other place the sheet explains this and offers the nearest
 * reachable one.
 */
export function PlaceSheet({ place, ownId, onClose, onShow }: PlaceSheetProps) {
  const { t } = useTranslation()
  const invite = useQuery({ ...apiQuery('invite'), enabled: place !== null })
  return (
    <Sheet open={place !== null} onClose={onClose} title={t('tree.addTitle')}>
      {place !== null &&
        (invite.data !== undefined ? (
          <Offer place={place} ownId={ownId} invite={invite.data} onShow={onShow} />
        ) : invite.isError ? (
          <ErrorState onRetry={() => void invite.refetch()} />
        ) : (
          <Skeleton className="h-72 rounded-12" />
        ))}
    </Sheet>
  )
}

interface OfferProps extends Pick<PlaceSheetProps, 'ownId' | 'onShow'> {
  place: FreePlace
  invite: RouteData<'invite'>
}

function Offer({ place: { parent, side }, ownId, invite, onShow }: OfferProps) {
  const { t } = useTranslation()
  const isReached = invite.places[side].parent_id === parent.member.id
  // Below the own node both sides are reachable; elsewhere the nearest one is the end of the place's section.
  const named = useNamed()
  const nearest = isReached || parent.member.id === ownId ? side : (parent.member.section ?? side)
  const { parent_id, parent_address, generation } = invite.places[nearest]
  return (
    <div className="flex flex-col gap-4">
      {!isReached && (
        <Notice tone="warn" title={t('tree.notReached')}>
          {t('tree.notReachedText', {
            address: named(parent.member.label),
            side: t(`side.${side}`),
            own: t(`side.${nearest}`),
          })}
        </Notice>
      )}
      <p className="text-14">
        {t('tree.leadsTo', {
          side: t(`side.${nearest}`),
          address: named(parent_address),
          generation: formatCount(generation),
        })}
      </p>
      <InviteLink link={invite.links[nearest]} />
      {!isReached && (
        <Button block variant="secondary" icon="search" onClick={() => onShow(parent_id)}>
          {t('tree.showPlace')}
        </Button>
      )}
    </div>
  )
}

export interface SearchSheetProps {
  open: boolean
  onClose: () => void
  labels: ReadonlyMap<string, MemberLabel>
  onShow: (id: string) => void
}

const MOST = 20

/** Finds a team member by wallet, invitation code or own label, and shows it in the tree. */
export function SearchSheet({ open, onClose, labels, onShow }: SearchSheetProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const q = useSettled(plainText(text))
  return (
    <Sheet open={open} onClose={onClose} title={t('tree.search')}>
      <div className="flex min-h-80 flex-col gap-4">
        <TextField
          label={t('team.searchLabel')}
          type="search"
          maxLength={60}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {q !== '' && <Results q={q} labels={labels} onShow={onShow} />}
      </div>
    </Sheet>
  )
}

function Results({ q, labels, onShow }: Pick<SearchSheetProps, 'labels' | 'onShow'> & { q: string }) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('relation', { query: { q, limit: MOST } }))
  if (data === undefined) {
    return isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={3} />
  }
  if (data.items.length === 0)
    return (
      <EmptyState
        icon="search"
        title={t('team.notFound')}
        next={{ to: '/pages/my/invite/index', label: t('my.invite') }}
      />
    )
  return (
    <ul className="flex flex-col">
      {data.items.map((member) => (
        <li key={member.member_id}>
          <Result member={member} label={labels.get(member.member_id)?.label} onShow={onShow} />
        </li>
      ))}
      {data.next !== null && <li className="py-2 text-12 text-muted">{t('tree.searchMore')}</li>}
    </ul>
  )
}

interface ResultProps {
  member: TeamMember
  label: string | undefined
  onShow: (id: string) => void
}

function Result({ member, label, onShow }: ResultProps) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="flex min-h-14 w-full items-center gap-3 rounded-12 px-2 text-left hover:bg-sunken"
      onClick={() => onShow(member.member_id)}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-14 font-medium">{label || shortAddress(member.address)}</span>
        <span className="block truncate text-12 text-muted">
          {member.section !== null && t(`side.${member.section}`)}
          {member.level > 0 && ` · ${levelName(t, member.level)}`}
          {label ? ` · ${shortAddress(member.address)}` : ''}
        </span>
        <NoteLine address={member.address} />
      </span>
      <Icon name="forward" size={16} className="text-muted" />
    </button>
  )
}
