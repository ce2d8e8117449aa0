import { useId, useRef, useState } from 'react'
import { ApiError, call, formatAmount, showModal, useTranslation } from '../../../lib/index.ts'
import { Button, Card, FieldFrame } from '../../../ui/index.ts'
import { type BadLine, type GrantLine, grantProposal, MAX_GRANTS, readGrants } from './grant-lines.ts'

/** The text of a file and where it came from; it stays until its lines were proposed. */
export interface GrantText {
  name: string
  text: string
}

export interface GrantFileProps {
  value: GrantText
  onChange: (value: GrantText) => void
  /** The good lines, which the server has looked at too. */
  onSubmit: (lines: readonly GrantLine[]) => void
}

/** A file of grants, read here and by the server: what is wrong is told by line and can be put right in place; good lines can go alone. */
export function GrantFile({ value, onChange, onSubmit }: GrantFileProps) {
  const { t } = useTranslation()
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const [strangers, setStrangers] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const { good, bad, total } = readGrants(value.text, strangers)
  const tooMany = good.length > MAX_GRANTS
  const check = async () => {
    setBusy(true)
    const unknown = await strangersOf(value.name, good).finally(() => setBusy(false))
    if (unknown === null) return
    if (unknown.length === 0) onSubmit(good)
    else setStrangers(new Set([...strangers, ...unknown]))
  }
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" onClick={() => file.current?.click()}>
          {t('admin.grants.choose')}
        </Button>
        <span className="wrap-anywhere text-14 text-muted">{value.name}</span>
        <input
          ref={file}
          type="file"
          accept=".csv,text/csv,text/plain"
          hidden
          onChange={async ({ target }) => {
            const chosen = target.files?.[0]
            // The same file may be chosen again.
            target.value = ''
            if (chosen !== undefined) onChange({ name: chosen.name, text: await chosen.text() })
          }}
        />
      </div>
      <FieldFrame id={id} label={t('admin.grants.lines')} hint={t('admin.grants.linesHint')}>
        <textarea
          id={id}
          rows={6}
          spellCheck={false}
          aria-describedby={`${id}-note`}
          className="w-full overflow-auto whitespace-pre rounded-12 border border-line bg-card p-3 text-14 outline-accent"
          value={value.text}
          onChange={(event) => onChange({ ...value, text: event.target.value })}
        />
      </FieldFrame>
      {bad.length > 0 && <BadLines lines={bad} />}
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="min-w-60 flex-1 text-14">
          {t('admin.grants.sum', { good: good.length, bad: bad.length, total: formatAmount(total) })}
          {tooMany && (
            <span className="block text-bad">{t('admin.grants.tooMany', { most: MAX_GRANTS })}</span>
          )}
        </p>
        <Button busy={busy} disabled={good.length === 0 || tooMany} onClick={() => void check()}>
          {bad.length > 0
            ? t('admin.grants.proposeGood', { count: good.length })
            : t('admin.grants.propose', { count: good.length })}
        </Button>
      </div>
    </Card>
  )
}

function BadLines({ lines }: { lines: readonly BadLine[] }) {
  const { t } = useTranslation()
  return (
    <ul
      aria-label={t('admin.grants.bad')}
      className="max-h-72 overflow-auto rounded-12 bg-sunken py-1 text-14"
    >
      {lines.map(({ line, text, problem }) => (
        <li key={line} className="flex flex-wrap gap-x-3 px-3 py-2">
          <span className="font-semibold tabular-nums">{t('admin.grants.line', { line })}</span>
          <span className="text-bad">{t(`admin.grants.problem.${problem}`)}</span>
          <span className="wrap-anywhere w-full text-12 text-muted">{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** Has the server work the lines out: the addresses, in lower case, that are no members'; null when it failed otherwise, which was shown. */
async function strangersOf(name: string, lines: readonly GrantLine[]): Promise<string[] | null> {
  const proposal = await grantProposal(name, lines)
  try {
    await call('previewProposal', { body: { ...proposal, reason: 'preview' } }, { quiet: true })
    return []
  } catch (error) {
    const at =
      error instanceof ApiError && error.error === 'MEMBER_NOT_FOUND' ? error.details.lines : undefined
    if (typeof at === 'string')
      return at.split(',').map((line) => lines[Number(line) - 1]!.address.toLowerCase())
    const content = error instanceof Error ? error.message : String(error)
    await showModal({ content, showCancel: false })
    return null
  }
}
