import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/index.ts'

const HistorySheet = lazy(() => import('./history-sheet.tsx'))

/** Opens the list of payments to an address. */
export function HistoryButton({ address, name }: { address: string; name: string | null }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="touch-line font-medium text-accent"
        aria-label={t('sentTo.of', { name: name ?? address })}
        onClick={() => setOpen(true)}
      >
        <span>{t('sentTo.open')}</span>
      </button>
      <Suspense>
        {isOpen && <HistorySheet address={address} name={name} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
