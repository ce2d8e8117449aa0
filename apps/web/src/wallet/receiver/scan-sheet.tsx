import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '../../ui/sheet.tsx'
import { Notice } from '../../ui/states.tsx'
import { scanQrCode } from './scan.ts'

export interface ScanSheetProps {
  onFound: (text: string) => void
  onClose: () => void
}

/** The camera, until it has read a QR code or is closed. */
export default function ScanSheet({ onFound, onClose }: ScanSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet open onClose={onClose} title={t('receiver.scan')} description={t('receiver.scanHint')}>
      <Camera onFound={onFound} />
    </Sheet>
  )
}

/** Stands inside the sheet, so that the video is there when it begins. */
function Camera({ onFound }: Pick<ScanSheetProps, 'onFound'>) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onFound)
  found.current = onFound
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const giveUp = new AbortController()
    if (video.current !== null) {
      scanQrCode(video.current, giveUp.signal).then(
        (text) => found.current(text),
        () => !giveUp.signal.aborted && setFailed(true),
      )
    }
    return () => giveUp.abort()
  }, [])
  if (failed) return <Notice tone="warn">{t('receiver.noCamera')}</Notice>
  return (
    <video ref={video} playsInline muted className="aspect-square w-full rounded-12 bg-sunken object-cover" />
  )
}
