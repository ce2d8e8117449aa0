import encodeQR from 'qr'
import { useMemo } from 'react'
import type { QrCodeProps } from './qr-code.tsx'

const QUIET_ZONE = 4

/** Dark on white in either theme, as scanners expect. */
export default function QrCodeImage({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => pathOf(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-56 rounded-12 bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#061237" />
    </svg>
  )
}

function pathOf(text: string) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size: rows.length, path }
}
