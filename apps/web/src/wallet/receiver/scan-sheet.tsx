import { useEffect, useRef, useState } from 'react'
import { findAddress, useTranslation } from '../../lib/index.ts'
import { Button, Notice, Sheet } from '../../ui/index.ts'

/** The part of the Barcode Detection API that is used here; TypeScript does not have its types yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: 'qr_code'[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/**
 * The reasons why the camera shows nothing: no permission, no camera, used by another program, or another
 * one.
 */
type CameraProblem = 'refused' | 'none' | 'busy' | 'failed'

const LOOK_EVERY_MS = 200

/**
 * Shows the rear camera in a video element and passes each QR code to `take`, until that returns true. Throws
 * the browser's error when there is no camera or no permission, and the signal's reason when it is cancelled.
 * The camera is released in all cases.
 */
async function scanQrCodes(
  video: HTMLVideoElement,
  signal: AbortSignal,
  take: (text: string) => boolean,
): Promise<void> {
  // The decoder loads while the browser requests the permission.
  const opening = openDetector()
  opening.catch(() => undefined)
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    signal.throwIfAborted()
    video.srcObject = stream
    await video.play()
    const detector = await opening
    for (;;) {
      signal.throwIfAborted()
      const [code] = await detector.detect(video)
      if (code !== undefined && !signal.aborted && take(code.rawValue)) return
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}

/** Maps the error of a failed scan to a problem that the member can act on. */
function cameraProblem(error: unknown): CameraProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'failed'
}

/**
 * Returns the browser's own detector where it reads QR codes, or the decoder of the package that also draws
 * QR codes.
 */
async function openDetector(): Promise<Detector> {
  const Native = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const formats = await Native?.getSupportedFormats().catch((): readonly string[] => [])
  const isNative = Native !== undefined && formats?.includes('qr_code')
  const Detector: DetectorClass = isNative ? Native : (await import('qr/decode.js')).BarcodeDetector
  return new Detector({ formats: ['qr_code'] })
}

export interface ScanSheetProps {
  /** Receives the text of the first code with an address; other codes are ignored. */
  onFound: (text: string) => void
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

/** Inside the sheet, so that the video element exists when it starts. */
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
      if (address !== null) latest.current.onFound(text)
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
