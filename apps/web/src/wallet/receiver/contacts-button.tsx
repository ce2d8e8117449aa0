import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/index.ts'
import { IconButton } from '../../ui/index.ts'

const ContactsSheet = lazy(() => import('./contacts-sheet.tsx'))

/** Opens the address book to pick an address. */
export function ContactsButton({ onPick }: { onPick: (address: string) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="book" label={t('receiver.contacts')} onClick={() => setOpen(true)} />
      <Suspense>
        {isOpen && (
          <ContactsSheet
            onPick={(address) => {
              onPick(address)
              setOpen(false)
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
