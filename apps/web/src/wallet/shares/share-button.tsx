import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/index.ts'
import type { ShareSubject } from './share-sheet.tsx'

const ShareSheet = lazy(() => import('./share-sheet.tsx'))

/** Opens the sheet in which a link to one document is created. Its code is loaded then. */
export function ShareButton({ name, subject }: { name: string; subject: ShareSubject }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="-my-1 min-h-11 self-start text-left text-14 font-medium text-accent"
        aria-label={t('links.shareNamed', { name })}
        onClick={() => setOpen(true)}
      >
        {t('links.share')}
      </button>
      {open && (
        <Suspense>
          <ShareSheet name={name} subject={subject} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
