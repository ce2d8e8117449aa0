import { useRef } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button, IconButton, TextField } from '../../../ui/index.ts'
import { bytesOf, MAX_PAPER_BYTES, MAX_PAPERS, type Paper } from './product-draft.ts'

export interface PaperListProps {
  papers: readonly Paper[]
  error: string | undefined
  onChange: (papers: readonly Paper[]) => void
}

/** The papers that members of a product can read: files with a title each. */
export function PaperList({ papers, error, onChange }: PaperListProps) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  const add = async (chosen: File) => {
    const media_type = chosen.type === 'application/pdf' ? 'application/pdf' : 'text/plain'
    onChange([...papers, { title: chosen.name.slice(0, 120), media_type, content: await base64Of(chosen) }])
  }
  return (
    <section aria-label={t('admin.product.papers')} className="flex flex-col gap-3">
      <p className="text-14 font-medium">{t('admin.product.papers')}</p>
      {papers.map((paper, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two papers may be the same, and their order is what is typed
        <div key={place} className="flex items-end gap-2 *:first:flex-1">
          <TextField
            label={t('admin.product.paperTitle', { place: place + 1 })}
            maxLength={120}
            value={paper.title}
            onChange={({ target }) =>
              onChange(papers.map((one, other) => (other === place ? { ...one, title: target.value } : one)))
            }
          />
          <IconButton
            icon="close"
            label={t('admin.product.paperRemove', { title: paper.title })}
            onClick={() => onChange(papers.filter((_, other) => other !== place))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          disabled={papers.length >= MAX_PAPERS}
          onClick={() => file.current?.click()}
        >
          {t('admin.product.paperAdd')}
        </Button>
        <p className={error === undefined ? 'text-12 text-muted' : 'text-12 text-bad'} role="status">
          {error ??
            t('admin.product.papersHint', {
              ...{ most: MAX_PAPERS, used: Math.ceil(bytesOf(papers) / 1000), kb: MAX_PAPER_BYTES / 1000 },
            })}
        </p>
      </div>
      <input
        ref={file}
        type="file"
        accept=".pdf,.txt,application/pdf,text/plain"
        hidden
        onChange={({ target }) => {
          const chosen = target.files?.[0]
          // The same file may be chosen again.
          target.value = ''
          if (chosen !== undefined) void add(chosen)
        }}
      />
    </section>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
