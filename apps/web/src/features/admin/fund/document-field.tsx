import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/field.tsx'

export interface DocumentFieldProps {
  value: string
  error: string | undefined
  onChange: (hash: string) => void
}

/** The SHA-256 of a paper: typed in, or worked out from the file here, which is not sent anywhere. */
export function DocumentField({ value, error, onChange }: DocumentFieldProps) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <TextField
        label={t('admin.fund.document')}
        hint={t('admin.fund.documentHint')}
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
          // The same file may be chosen again.
          target.value = ''
          if (chosen !== undefined) onChange(await hashOf(chosen))
        }}
      />
    </>
  )
}

async function hashOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  const digits = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `0x${digits.join('')}`
}
