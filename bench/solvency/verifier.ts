import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { listHeader, rootOf } from '@rif/solvency'
import { sha256Into } from '../../apps/server/src/modules/trust/solvency/snapshot/sha256.ts'
import type { BuiltTree } from '../../apps/server/src/modules/trust/solvency/snapshot/tree.ts'
import { buildVerifier, VERIFIER } from '../../scripts/lib/verifier.mjs'
import { CONTEXT, reportOf, type Time } from './tree.ts'

const ROOT_SELECTOR = '0x344e04ba'
/** Prints the resources that the process used when it ends. */
const REPORT_USE = `data:text/javascript,import { writeSync } from 'node:fs';process.on('exit', () => writeSync(2, '\\n' + JSON.stringify(process.resourceUsage())))`

/**
 * Runs the published verifier in a separate process, on the list of leaves of a tree and with a node that has
 * the root of the tree.
 */
export async function measureVerifier(
  tree: BuiltTree,
  rounds: number,
  folder: string,
): Promise<{ times: Time[]; memoryMb: number }> {
  const report = reportOf(tree)
  await buildVerifier(folder)
  const list = join(folder, 'leaves.bin')
  await writeFile(list, [listHeader(CONTEXT, report), tree.entries])
  const node = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, params } = JSON.parse(body)
    const answer = params[0]?.data?.startsWith(ROOT_SELECTOR)
      ? rootOf(CONTEXT, report, sha256Into)
      : `0x${(CONTEXT.dayNumber + 1).toString(16).padStart(64, '0')}`
    const result = method === 'eth_chainId' ? `0x${CONTEXT.chainId.toString(16)}` : answer
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const rpc = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const times: Time[] = []
  let memoryMb = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now()
      const { userCPUTime, systemCPUTime, maxRSS } = await run([
        '--import',
        REPORT_USE,
        join(folder, VERIFIER),
        list,
        '--rpc',
        rpc,
        '--bank',
        CONTEXT.bank,
      ])
      times.push({ wall: (performance.now() - begun) / 1_000, cpu: (userCPUTime + systemCPUTime) / 1e6 })
      memoryMb = Math.max(memoryMb, maxRSS / 1_024)
    }
  } finally {
    await new Promise((resolve) => node.close(resolve))
  }
  return { times, memoryMb }
}

function run(args: readonly string[]): Promise<NodeJS.ResourceUsage> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    child.stdout.on('data', (data) => {
      output += data
    })
    child.stderr.on('data', (data) => {
      errors += data
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(errors.split('\n').at(-1)!) as NodeJS.ResourceUsage)
      else reject(new Error(`the verifier ended with ${code}: ${output}${errors}`))
    })
  })
}
