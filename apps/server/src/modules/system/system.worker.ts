import type { Job } from '../../lib/job.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Signer } from '../../signer/client.ts'

const LOOK_MS = 10_000

/** Raises an alarm when the signing process is unreachable or cannot sign, and logs when it recovers. */
export function systemJobs({ signer, log }: { signer: Pick<Signer, 'status'>; log: Logger }): Job[] {
  let last: string | null = null
  return [
    {
      name: 'signer watch',
      everyMs: LOOK_MS,
      async run() {
        const trouble = await signer.status().then(
          (status) => status.trouble,
          () => 'away',
        )
        if (trouble === last) return
        if (trouble === null) log.info('the signer can sign again')
        else log.error({ alarm: true, trouble }, 'the signer cannot sign: no claims, no payments on chain')
        last = trouble
      },
    },
  ]
}
