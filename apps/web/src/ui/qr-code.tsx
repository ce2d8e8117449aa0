import { lazy, Suspense } from 'react'
import { Skeleton } from './states.tsx'

export interface QrCodeProps {
  /** The content: a link or an address. */
  text: string
  /** The accessible name, which says where it leads. */
  label: string
}

const QUIET_ZONE = 4

type Encode = typeof import('qr').encodeQR

/** Dark on white in either theme, as scanners expect. */
function Image({ encode, text, label }: QrCodeProps & { encode: Encode }) {
  const rows = encode(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const dots = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      className="size-56 rounded-12 bg-white"
      shapeRendering="crispEdges"
    >
      <path d={dots.join('')} fill="#061237" />
    </svg>
  )
}

const QrCodeImage = lazy(async () => {
  const { encodeQR } = await import('qr')
  return { default: (props: QrCodeProps) => <Image encode={encodeQR} {...props} /> }
})

/** A QR code of 224 px. The encoder is a chunk of its own, loaded when a code is first shown. */
export function QrCode(props: QrCodeProps) {
  return (
    <Suspense fallback={<Skeleton className="size-56 rounded-12" />}>
      <QrCodeImage {...props} />
    </Suspense>
  )
}
