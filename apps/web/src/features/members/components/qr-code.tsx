import encodeQR from 'qr'

const QUIET_ZONE = 4

/** A QR code, dark on white in either theme, as scanners expect. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      className="size-56 rounded-12 bg-white"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#061237" />
    </svg>
  )
}
