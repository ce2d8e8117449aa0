import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { apiList, cx, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Card,
  EmptyState,
  ErrorState,
  FieldFrame,
  inputBoxClass,
  ListSkeleton,
  useKeptValues,
} from '../../../ui/index.ts'
import { AdminName, ShowMore, useMay } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'

const MAX_LENGTH = 2000

/** The notes of admins about a member, and a form for another one; notes are permanent. */
export function Notes({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const query = useInfiniteQuery(apiList('adminMemberNotes', { params: { member_id: memberId }, query: {} }))
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      {may('operator') && <NoteForm memberId={memberId} />}
      {items === undefined ? (
        query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : items.length === 0 ? (
        <EmptyState icon="edit" title={t('adminSearch.notes.none')} hint={t('adminSearch.notes.hint')} />
      ) : (
        <Card className="flex flex-col divide-y divide-line py-1">
          {items.map((note) => (
            <article key={note.note_id} className="flex flex-col gap-1 py-3">
              <p className="whitespace-pre-wrap break-words text-14">{note.text}</p>
              <p className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
                <AdminName actor={note.written_by} />
                <UtcTime value={note.written_at} />
              </p>
            </article>
          ))}
        </Card>
      )}
      <ShowMore query={query} />
    </>
  )
}

function NoteForm({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const id = useId()
  const { values, set, reset } = useKeptValues(`note ${memberId}`, { text: '' })
  const { text } = values
  const add = useApiMutation('addMemberNote', { refresh: ['adminMemberNotes', 'adminMember'] })
  return (
    <Card>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '') return
          add
            .mutateAsync({ params: { member_id: memberId }, body: { text: text.trim() } })
            .then(reset)
            // The API client has shown the error, and the typed text stays.
            .catch(() => undefined)
        }}
      >
        <FieldFrame id={id} label={t('adminSearch.notes.label')} hint={t('adminSearch.notes.forGood')}>
          <textarea
            id={id}
            rows={3}
            maxLength={MAX_LENGTH}
            aria-describedby={`${id}-note`}
            value={text}
            className={cx(inputBoxClass(false), 'py-2 text-16 outline-none')}
            onChange={(event) => set({ text: event.target.value })}
          />
        </FieldFrame>
        <Button type="submit" variant="secondary" busy={add.isPending} disabled={text.trim() === ''}>
          {t('adminSearch.notes.add')}
        </Button>
      </form>
    </Card>
  )
}
