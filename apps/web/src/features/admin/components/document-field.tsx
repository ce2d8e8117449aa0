import { useRef } from 'react'
import { sha256, useTranslation } from '../../../lib/index.ts'
import { TextField } from '../../../ui/index.ts'

export interface DocumentFieldProps {
  value: string
  error: string | undefined
  /** Replaces the field's own description. */
  hint?: string
  onChange: (hash: string) => void
}

/** The SHA-256 of a document: typed in, or computed here from the file, which is not sent. */
export function DocumentField({ value, error, hint, onChange }: DocumentFieldProps) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <TextField
        label={t('admin.fund.document')}
        hint={hint ?? t('admin.fund.documentHint')}
        error={error}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        end={
          <button
            type="button"
            className="min-h-11 shrink-0 rounded-8 px-2 text-14 font-semibold text-accent"
            onClick={() => file.current?.click()}
          >
            {t('admin.fund.fromFile')}
          </button>
        }
      />
      <input
        ref={file}
        type="file"
        hidden
        onChange={async ({ target }) => {
          const chosen = target.files?.[0]
          // Allows choosing the same file again.
          target.value = ''
          if (chosen !== undefined) onChange((await sha256(await chosen.arrayBuffer())) ?? '')
        }}
      />
    </>
  )
}
