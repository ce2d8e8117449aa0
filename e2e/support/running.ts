import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Contracts } from './chain.ts'

export interface Running {
  rpcUrl: string
  databaseUrl: string
  contracts: Contracts
}

/** Returns the addresses of the product under test, which it writes to its data directory. */
export function runningProduct(): Running {
  const path = join(process.env.E2E_DATA_DIR as string, 'running.json')
  return JSON.parse(readFileSync(path, 'utf8')) as Running
}
