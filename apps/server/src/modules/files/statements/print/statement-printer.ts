import { Piscina } from 'piscina'
import type { statementPdf } from './statement-pdf.ts'
import type { PrintedStatement } from './statement-sections.ts'

/** The thread ends after this idle time, which frees the memory of the fonts. */
const IDLE_TIMEOUT_MS = 60_000

const threads = new Piscina<Parameters<typeof statementPdf>[0], Uint8Array>({
  filename: new URL('./statement-pdf.ts', import.meta.url).href,
  name: 'statementPdf',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: IDLE_TIMEOUT_MS,
  resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 },
})

/** Returns a statement as a PDF document (see `statementPdf`), made in a separate thread. */
export async function printStatement(printed: PrintedStatement): Promise<Buffer> {
  return Buffer.from(await threads.run(printed))
}
