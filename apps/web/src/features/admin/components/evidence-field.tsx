import { useId, useRef } from 'react'
import { base64Of, sha256, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Button, Icon } from '../../../ui/index.ts'
import { type EvidencePaper, paperOf } from '../fund/fund-drafts.ts'

interface EvidenceFieldProps {
  /** The JSON of a `Paper`; empty without one. */
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

const MAX_TITLE = 120

/** Asks for the supporting document; its hash is computed on this device. */
export function EvidenceField({ value, error, onChange }: EvidenceFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const paper = paperOf(value)
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className="text-14 font-medium">
        {t('admin.desk.document')}
      </p>
      <div className="flex flex-wrap items-center gap-3 rounded-12 border border-line p-3">
        <Icon name="doc" size={20} className={paper === null ? 'text-muted' : 'text-good'} />
        <span className="min-w-40 flex-1 text-14">
          <span className="block wrap-anywhere font-medium">{paper?.title ?? t('admin.desk.noFile')}</span>
          <span className="block text-12 text-muted">
            {paper?.hash == null
              ? t('admin.fund.documentPublic')
              : t('admin.desk.hashHere', { hash: shortAddress(paper.hash) })}
          </span>
        </span>
        <Button variant="secondary" aria-describedby={id} onClick={() => file.current?.click()}>
          {t(paper === null ? 'admin.fund.chooseDocument' : 'admin.desk.otherDocument')}
        </Button>
      </div>
      <p role={error === undefined ? undefined : 'alert'} className="text-12 text-bad empty:hidden">
        {error}
      </p>
      <input
        ref={file}
        type="file"
        accept=".pdf,.txt,application/pdf,text/plain"
        hidden
        onChange={async ({ target }) => {
          const chosen = target.files?.[0]
          // Allows choosing the same file again.
          target.value = ''
          if (chosen !== undefined) onChange(JSON.stringify(await paperFrom(chosen)))
        }}
      />
    </div>
  )
}

async function paperFrom(file: File): Promise<EvidencePaper> {
  const bytes = await file.arrayBuffer()
  return {
    title: file.name.slice(0, MAX_TITLE),
    media_type: file.type === 'application/pdf' ? 'application/pdf' : 'text/plain',
    content: base64Of(bytes),
    hash: await sha256(bytes),
  }
}
