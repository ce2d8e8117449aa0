import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** The time of a day, and the peak memory of the process that settled it. */
interface Settled {
  readonly seconds: number
  readonly memoryMb: number
}

/** Settles a day of the benchmark's books in a process of its own. */
export async function runWorker(url: string, day: string): Promise<Settled> {
  const args = [WORKER, url, day]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}
