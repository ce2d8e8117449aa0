import { lazy, Suspense, useState } from 'react'
import { useTranslation } from '../../lib/index.ts'
import { Button } from '../../ui/index.ts'
import { useOwnAddress } from '../balances.ts'

const RequestSheet = lazy(() => import('./request-sheet.tsx'))

/** Opens the sheet that creates a request for a transfer to the member's wallet. */
export function RequestButton() {
  const { t } = useTranslation()
  const owner = useOwnAddress()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" block icon="qr" onClick={() => setOpen(true)}>
        {t('request.make')}
      </Button>
      <Suspense>{isOpen && <RequestSheet owner={owner} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
