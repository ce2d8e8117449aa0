import type { FundBill, Locale } from '@rif/api-schema'
import { Piscina } from 'piscina'
import type { billPdf } from './bill-pdf.ts'

/** The thread ends after this idle time, which frees the memory of the fonts. */
const IDLE_TIMEOUT_MS = 5 * 60_000

const threads = new Piscina<Parameters<typeof billPdf>[0], Uint8Array>({
  filename: new URL('./bill-pdf.ts', import.meta.url).href,
  name: 'billPdf',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: IDLE_TIMEOUT_MS,
  resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
})

/**
 * Returns a bill as a PDF document (see `billPdf`), made in a separate thread so that this one keeps serving
 * requests.
 */
export async function printBill(bill: FundBill, style: { locale: Locale; address: string }): Promise<Buffer> {
  return Buffer.from(await threads.run({ bill, ...style }))
}
