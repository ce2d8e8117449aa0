import type { Statement, Statements } from '@rif/api-schema'
import { useState } from 'react'
import {
  formatCount,
  formatDayShort,
  loadFile,
  type PlainPath,
  saveFile,
  sha256,
  showModal,
  showToast,
  type TextKey,
  useApiMutation,
  useTranslation,
} from '../../lib/index.ts'
import { Button, Card, EmptyState, IconButton, IconCircle, Meter, Section } from '../../ui/index.ts'
import { ShareButton } from '../shares/share-button.tsx'
import { sizeOf, useFileName } from './file-name.ts'

const DOWNLOAD_MS = 10 * 60_000
const DAY_LENGTH = 'yyyy-mm-dd'.length

/** Reports whether a file is still being created. */
export const isStatementOpen = ({ step }: Pick<Statement, 'step'>) => step === 'waiting' || step === 'running'

interface StatementFilesProps {
  data: Statements
  /** The owner of the files; members and operators have separate routes. */
  side: 'member' | 'admin'
  /** The text for an empty list. */
  hint: string
  /** The page that shows the figures meanwhile. */
  next: { readonly to: PlainPath; readonly label: TextKey }
}

/** The requested files: those in progress, those that are ready, and those that failed. */
export function StatementFiles({ data, side, hint, next }: StatementFilesProps) {
  const { t } = useTranslation()
  const open = data.items.filter(isStatementOpen)
  const ended = data.items.filter((item) => !isStatementOpen(item))
  return (
    <>
      {open.length > 0 && (
        <Section title={t('statements.inProgress')}>
          <Card className="divide-y divide-line py-1">
            {open.map((item) => (
              <OpenFile key={item.statement_id} item={item} side={side} />
            ))}
          </Card>
        </Section>
      )}
      <Section title={t('statements.ready')}>
        <Card className="divide-y divide-line py-1">
          {ended.length === 0 ? (
            <EmptyState
              icon="doc"
              title={t('statements.none')}
              hint={hint}
              next={{ to: next.to, label: t(next.label) }}
            />
          ) : (
            ended.map((item) => <EndedFile key={item.statement_id} item={item} side={side} />)
          )}
        </Card>
      </Section>
    </>
  )
}

interface FileProps {
  item: Statement
  side: StatementFilesProps['side']
}

function OpenFile({ item, side }: FileProps) {
  const { t } = useTranslation()
  const remove = useRemove(side)
  const name = useFileName(item)
  const { entries, entries_done: done } = item
  const share = entries === null ? 0 : entries === 0 ? 1 : done / entries
  const percent = `${Math.floor(share * 100)}%`
  return (
    <div className="flex flex-col gap-3 py-3">
      <div className="flex items-center gap-3">
        <IconCircle icon="doc" tone="info" />
        <p className="min-w-0 flex-1">
          <span className="block font-medium">{name}</span>
          <span className="text-14 text-muted" role="status">
            {entries === null
              ? t('statements.waiting')
              : t('statements.of', { done: formatCount(done), count: entries, all: formatCount(entries) })}
          </span>
        </p>
        <span className="font-semibold tabular-nums">{percent}</span>
      </div>
      <Meter label={name} share={share} text={percent} />
      <div className="flex items-center justify-between text-14">
        <span className="text-muted">{t('statements.leave')}</span>
        <button
          type="button"
          disabled={remove.isPending}
          className="-my-2 min-h-11 px-1 font-medium text-accent"
          onClick={() => remove.mutate({ body: { statement_id: item.statement_id } })}
        >
          {t('common.cancel')}
        </button>
      </div>
    </div>
  )
}

function EndedFile({ item, side }: FileProps) {
  const { t } = useTranslation()
  const remove = useRemove(side)
  const name = useFileName(item)
  const [busy, setBusy] = useState(false)
  const { file } = item
  const download = async () => {
    setBusy(true)
    await save(item, side, t('statements.differs')).catch(() => undefined)
    setBusy(false)
  }
  const askRemove = async () => {
    const title = t('statements.remove')
    if (await showModal({ title, content: t('statements.removeAsk', { name }), confirmText: title }))
      remove.mutate({ body: { statement_id: item.statement_id } })
  }
  return (
    <div className="flex items-center gap-3 py-2.5">
      <span className="max-[359px]:hidden">
        <IconCircle icon={file === null ? 'warn' : 'doc'} tone={file === null ? 'bad' : 'neutral'} />
      </span>
      <p className="min-w-0 flex-1">
        <span className="block break-words font-medium">{name}</span>
        <span className="block text-13 text-muted">
          {file === null || item.finished_at === null || item.expires_at === null
            ? t(item.failure === 'STATEMENT_TOO_LONG' ? 'statements.tooLong' : 'statements.failed')
            : t('statements.made', {
                size: sizeOf(file.size),
                made: formatDayShort(item.finished_at.slice(0, DAY_LENGTH)),
                until: formatDayShort(item.expires_at.slice(0, DAY_LENGTH)),
              })}
        </span>
        {side === 'member' && file !== null && <ShareButton name={name} subject={{ statement: item }} />}
      </p>
      {file !== null && (
        <Button
          variant="quiet"
          busy={busy}
          icon="download"
          aria-label={t('statements.download', { name })}
          className="min-h-11! px-3!"
          onClick={() => void download()}
        />
      )}
      <IconButton
        icon="trash"
        label={t('statements.removeNamed', { name })}
        disabled={remove.isPending}
        onClick={() => void askRemove()}
      />
    </div>
  )
}

function useRemove(side: StatementFilesProps['side']) {
  const member = useApiMutation('removeStatement', { refresh: ['statements'] })
  const admin = useApiMutation('removeAdminStatement', { refresh: ['adminStatements'] })
  return side === 'member' ? member : admin
}

/** Saves a file after comparing its bytes with the hash that the server stated. */
async function save(item: Statement, side: StatementFilesProps['side'], differs: string): Promise<void> {
  const { statement_id, file } = item
  if (file === null) return
  const route = side === 'member' ? 'statement' : 'adminStatement'
  const content = await loadFile(route, 'file', { params: { statement_id } }, DOWNLOAD_MS)
  const hash = await sha256(await content.arrayBuffer())
  if (hash !== null && hash !== file.hash) showToast(differs, { tone: 'bad' })
  else saveFile(content, file.filename)
}
