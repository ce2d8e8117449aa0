/** What the Barcode Detection API offers, as far as it is used here; TypeScript does not know it yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: 'qr_code'[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** Why the camera shows nothing: leave was not given, there is none, another program has it, or something else. */
export type CameraProblem = 'refused' | 'none' | 'busy' | 'failed'

/** Whether the browser lets a page ask for a camera. It does not where the page came over plain HTTP: no button there. */
export const canScan = () => navigator.mediaDevices?.getUserMedia !== undefined

const LOOK_EVERY_MS = 200

/**
 * Shows the rear camera in a video element and hands each QR code that is read to `take`, until that answers true. Throws
 * the browser's error when there is no camera or it is not allowed, and the signal's reason when it is given up. The
 * camera is let go of in any case.
 */
export async function scanQrCodes(
  video: HTMLVideoElement,
  signal: AbortSignal,
  take: (text: string) => boolean,
): Promise<void> {
  // The decoder comes while the browser asks for leave.
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

/** What a failed scan means for the member. */
export function cameraProblem(error: unknown): CameraProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none'
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'failed'
}

/** The browser's own detector where it reads QR codes, else the one of the package that also draws ours. */
async function openDetector(): Promise<Detector> {
  const Native = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const formats = await Native?.getSupportedFormats().catch((): readonly string[] => [])
  const isNative = Native !== undefined && formats?.includes('qr_code')
  const Detector: DetectorClass = isNative ? Native : (await import('qr/decode.js')).BarcodeDetector
  return new Detector({ formats: ['qr_code'] })
}
