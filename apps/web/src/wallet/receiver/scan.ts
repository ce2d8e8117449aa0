/** What the Barcode Detection API offers, as far as it is used here; TypeScript does not know it yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector

const detectorClass = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

/** Whether this browser can read QR codes from a camera. Elsewhere there is no button for it. */
export const canScan = () => detectorClass() !== undefined && navigator.mediaDevices !== undefined

const LOOK_EVERY_MS = 200

/**
 * Shows the rear camera in a video element and answers the first QR code that is read. Throws the browser's error
 * when there is no camera or it is not allowed, and the signal's reason when it is given up. The camera is let go of in any case.
 */
export async function scanQrCode(video: HTMLVideoElement, signal: AbortSignal): Promise<string> {
  const Detector = detectorClass()
  if (Detector === undefined) throw new Error('no barcode detector')
  const detector = new Detector({ formats: ['qr_code'] })
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    signal.throwIfAborted()
    video.srcObject = stream
    await video.play()
    for (;;) {
      signal.throwIfAborted()
      const [code] = await detector.detect(video)
      if (code !== undefined) return code.rawValue
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}
