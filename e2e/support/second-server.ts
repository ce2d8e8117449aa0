import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import type { Anvil } from '../../apps/server/src/local/anvil.ts'
import { deployBank } from '../../apps/server/src/local/deploy.ts'
import { readOperatorKeys } from '../../apps/server/src/local/operator-files.ts'
import type { Chain } from './chain.ts'
import { runningProduct } from './running.ts'

/** Deploys a successor of the product's bank with the product's signers, and with these wallets as its admin and guardian. */
export async function deploySuccessor(
  { rpc, contracts }: Chain,
  { admin, guardian }: { admin: Hex; guardian: Hex },
): Promise<Hex> {
  const { bank, usdt, amc } = contracts
  const keys = await readOperatorKeys(join(process.env.E2E_DATA_DIR as string, 'chain'))
  const node = { rpcUrl: runningProduct().rpcUrl, rpc } as Anvil
  return deployBank(node, keys!, { usdt, amc, predecessor: bank, admin, guardian })
}

/**
 * Starts the API on the product's database and chain with a successor as the newest bank, as after the switch of
 * docs/operations/runbooks.md ("A new bank"). Returns a function by which an open page calls this API from then on, and one that stops it.
 */
export async function startSwitchedServer(successor: Hex, publicUrl: string) {
  const { databaseUrl, rpcUrl, contracts } = runningProduct()
  const place = {
    databaseUrl,
    rpcUrl,
    publicUrl,
    contracts: { ...contracts, bank: successor, formerBanks: [contracts.bank] },
    signerUrl: `unix:${join(process.env.E2E_DATA_DIR as string, 'signer.sock')}`,
  }
  const program = join(process.env.E2E_CHILD_PROGRAMS as string, 'testing/switched-api-child.mjs')
  const child = spawn(process.execPath, [program, JSON.stringify(place)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface(child.stdout)
  const url = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    ended.then(() => Promise.reject(new Error('the switched API has ended'))),
  ])
  return {
    url,
    /** Has the page call this API, as if the product had been restarted behind it. */
    async takeOver(page: Page): Promise<void> {
      await page.route('**/api/**', (route) => {
        const requestUrl = new URL(route.request().url())
        return route.continue({ url: `${url}${requestUrl.pathname}${requestUrl.search}` })
      })
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended
    },
  }
}
