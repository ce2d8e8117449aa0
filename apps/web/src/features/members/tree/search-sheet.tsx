import type { MemberLabel, TeamMember } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, shortAddress, useSettled, useTranslation } from '../../../lib/index.ts'
import { EmptyState, ErrorState, Icon, ListSkeleton, Sheet, TextField } from '../../../ui/index.ts'

export interface SearchSheetProps {
  open: boolean
  onClose: () => void
  labels: ReadonlyMap<string, MemberLabel>
  onShow: (id: string) => void
}

const MOST = 20

/** Finds a member of the own team by wallet, invitation code or own label, and shows it in the tree. */
export function SearchSheet({ open, onClose, labels, onShow }: SearchSheetProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const q = useSettled(text.trim())
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
  if (data.items.length === 0) return <EmptyState icon="search" title={t('team.notFound')} />
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
          {member.level > 0 && ` · ${t('my.level', { level: member.level })}`}
          {label ? ` · ${shortAddress(member.address)}` : ''}
        </span>
      </span>
      <Icon name="forward" size={16} className="text-muted" />
    </button>
  )
}
