import { open, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** A lock that one test at a time can hold, across all workers. */
export interface Turn {
  /** Waits until it is free. */
  take(): Promise<void>
  giveBack(): Promise<void>
}

const ASK_EVERY_MS = 50

/** A turn that is kept by a file: whoever makes it has the turn. */
export function createTurn(path: string): Turn {
  return {
    async take() {
      for (;;) {
        const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return null
          throw error
        })
        if (file !== null) return file.close()
        await sleep(ASK_EVERY_MS)
      }
    },
    giveBack: () => rm(path),
  }
}
