import { lazy, Suspense } from 'react'
import { Skeleton } from './states.tsx'

const QrCodeImage = lazy(() => import('./qr-code-image.tsx'))

export interface QrCodeProps {
  /** What a scanner reads: a link or an address. */
  text: string
  /** What it leads to, for those who do not see it. */
  label: string
}

/** A QR code of 224 px. The encoder is a chunk of its own, loaded when a code is first shown. */
export function QrCode(props: QrCodeProps) {
  return (
    <Suspense fallback={<Skeleton className="size-56 rounded-12" />}>
      <QrCodeImage {...props} />
    </Suspense>
  )
}
