import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Notice } from '../../ui/states.tsx'
import { type CameraProblem, cameraProblem, scanQrCodes } from './scan.ts'
import { findAddress } from './use-receiver.ts'

export interface ScanSheetProps {
  /** Given the first address that is read; other codes are passed over. */
  onFound: (address: string) => void
  onClose: () => void
}

/** The camera, until it has read an address or is closed. */
export default function ScanSheet({ onFound, onClose }: ScanSheetProps) {
  const { t } = useTranslation()
  const [attempt, setAttempt] = useState(0)
  const [problem, setProblem] = useState<CameraProblem | null>(null)
  const retry = () => {
    setProblem(null)
    setAttempt((last) => last + 1)
  }
  return (
    <Sheet open onClose={onClose} title={t('receiver.scan')} description={t('receiver.scanHint')}>
      {problem === null ? (
        <Camera key={attempt} onFound={onFound} onProblem={setProblem} />
      ) : (
        <Notice
          tone="warn"
          action={
            <Button variant="secondary" icon="refresh" onClick={retry}>
              {t('common.retry')}
            </Button>
          }
        >
          {t(`receiver.camera.${problem}`)}
        </Notice>
      )}
    </Sheet>
  )
}

interface CameraProps extends Pick<ScanSheetProps, 'onFound'> {
  onProblem: (problem: CameraProblem) => void
}

/** Stands inside the sheet, so that the video is there when it begins. */
function Camera(props: CameraProps) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [isOther, setIsOther] = useState(false)
  useEffect(() => {
    const giveUp = new AbortController()
    const take = (text: string) => {
      const address = findAddress(text)
      setIsOther(address === null)
      if (address !== null) latest.current.onFound(address)
      return address !== null
    }
    if (video.current !== null) {
      scanQrCodes(video.current, giveUp.signal, take).catch((error: unknown) => {
        if (!giveUp.signal.aborted) latest.current.onProblem(cameraProblem(error))
      })
    }
    return () => giveUp.abort()
  }, [])
  return (
    <div className="flex flex-col gap-3">
      <video
        ref={video}
        playsInline
        muted
        aria-label={t('receiver.camera.picture')}
        className="aspect-square w-full rounded-12 bg-sunken object-cover"
      />
      <p role="status" className="min-h-5 text-14 text-muted">
        {isOther && t('receiver.camera.other')}
      </p>
    </div>
  )
}
