import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ReceiverRemark } from './receiver-remark.tsx'
import { canScan } from './scan.ts'
import { addressIn, type ReceiverState } from './use-receiver.ts'

const ContactsSheet = lazy(() => import('./contacts-sheet.tsx'))
const ScanSheet = lazy(() => import('./scan-sheet.tsx'))

export interface ReceiverFieldProps {
  value: string
  onChange: (address: string) => void
  /** What `useReceiver(value)` says. */
  state: ReceiverState
  /** What is wrong with it, said in the place of what is known. */
  error?: string | undefined
}

/** To whom: typed, pasted, scanned or picked from the address book, with what is known of the address below. */
export function ReceiverField({ value, onChange, state, error }: ReceiverFieldProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'contacts' | 'scan' | null>(null)
  const pick = (address: string) => {
    onChange(address)
    setOpen(null)
  }
  const problem = error ?? (state.is === 'invalid' ? t('receiver.invalid') : undefined)
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={t('receiver.label')}
        placeholder="0x…"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => {
          event.preventDefault()
          onChange(addressIn(event.clipboardData.getData('text')))
        }}
        error={problem}
        end={
          <span className="-mr-2 flex">
            {canScan() && (
              <IconButton icon="scan" label={t('receiver.scan')} onClick={() => setOpen('scan')} />
            )}
            <IconButton icon="book" label={t('receiver.contacts')} onClick={() => setOpen('contacts')} />
          </span>
        }
      />
      {problem === undefined && <ReceiverRemark state={state} />}
      <Suspense>
        {open === 'contacts' && <ContactsSheet onPick={pick} onClose={() => setOpen(null)} />}
        {open === 'scan' && <ScanSheet onFound={pick} onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  )
}
