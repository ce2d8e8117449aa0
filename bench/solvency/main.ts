import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AMOUNTS_BYTES,
  checkList,
  depthOf,
  ENTRY_BYTES,
  GROUP_LEAVES,
  HASH_BYTES,
  LEAF_BYTES,
  listHeader,
  NODE_BYTES,
  type Report,
  rootOf,
} from '@rif/solvency'
import { createDatabase, inDbTx } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import type { SnapshotMembers } from '../../apps/server/src/modules/solvency/snapshot/members.ts'
import { saltsOf } from '../../apps/server/src/modules/solvency/snapshot/salts.ts'
import { createSha256, sha256Into } from '../../apps/server/src/modules/solvency/snapshot/sha256.ts'
import { storeReport } from '../../apps/server/src/modules/solvency/snapshot/store.ts'
import { type BuiltTree, buildTree } from '../../apps/server/src/modules/solvency/snapshot/tree.ts'
import { createProofs } from '../../apps/server/src/modules/solvency/solvency.proofs.service.ts'
import { type Floor, markdownTable, runBenchmark } from '../kit/report.ts'
import { median } from '../kit/rounds.ts'

const MAX_TREE_S = 10
const MAX_MEMORY_MB = 1_024
const MAX_PROOF_MS = 20
const MAX_VERIFIER_S = 10
const MAX_GROWTH = 11
const MAX_OVER_FLOOR = 1.5
const PROOFS = 200
const members = Number(process.env.BENCH_MEMBERS ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const DAY = '2026-11-21'
const KEY = Buffer.alloc(32, 9)
const CONTEXT = { chainId: 42161, bank: `0x${'b0'.repeat(20)}`, dayNumber: 20_778 }

/** Returns members with amounts that use most of their bytes. */
function sampleMembers(count: number): SnapshotMembers {
  const amounts = Buffer.alloc(count * AMOUNTS_BYTES)
  const addresses = Buffer.alloc(count * 20)
  for (let member = 0; member < count; member++) {
    amounts.writeBigUInt64BE(BigInt(member) * 1_000_003n, member * AMOUNTS_BYTES)
    amounts.writeBigUInt64BE(BigInt(member) * 77_777n, member * AMOUNTS_BYTES + 8)
    amounts.writeBigUInt64BE(BigInt(member % 1_000) * 10_000n, member * AMOUNTS_BYTES + 16)
    addresses.writeUInt32BE(member + 1, member * 20 + 16)
  }
  return {
    count,
    idAt: (member) => member + 1,
    ...{ addresses, amounts },
  }
}

/** Hashes as many leaves and nodes as a tree has, and does nothing else. */
function hashAlone(count: number): void {
  const leaf = Buffer.alloc(LEAF_BYTES)
  const node = Buffer.alloc(NODE_BYTES)
  for (let one = 0; one < count; one++) {
    leaf.writeUInt32BE(one)
    hash('sha256', leaf, 'hex')
  }
  for (let one = 1; one < 2 ** depthOf(count); one++) {
    node.writeUInt32BE(one)
    hash('sha256', node, 'hex')
  }
}

async function secondsOf(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

function reportOf(tree: BuiltTree): Report {
  const head = `0x${'00'.repeat(HASH_BYTES)}`
  return {
    ...{ tree: tree.tree, leaves: tree.leaves, members: tree.sums, other: { usdt: 1n, amc: 2n } },
    ...{ fundCash: 3n, fundInvested: 4n, ledgerHead: head, operatorsHead: head },
  }
}

/** Stores a tree in a database and returns the times of proofs, in ms. */
async function proofTimes(sample: SnapshotMembers, tree: BuiltTree): Promise<number[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: { shared_buffers: '256MB' } })
  const database = createDatabase({ url: server.adminUrl, max: 4, applicationName: 'rif-bench' })
  try {
    await migrateSimulation(server.adminUrl)
    const report = reportOf(tree)
    const held = { usdt: 0n, amc: 0n }
    const row = {
      day: DAY,
      context: CONTEXT,
      saltKeyId: saltsOf(KEY, DAY).keyId,
      report,
      held,
      builtAt: new Date(),
    }
    await inDbTx(database.db, (dbTx) => storeReport(dbTx, row, sample, tree))
    const proofs = createProofs({ db: database.db, saltKey: KEY })
    const times: number[] = []
    for (let one = 0; one < PROOFS; one++) {
      const member = Math.floor((one * (sample.count - 1)) / PROOFS)
      const address = `0x${Buffer.from(sample.addresses.subarray(member * 20, (member + 1) * 20)).toString('hex')}`
      times.push(
        1_000 *
          (await secondsOf(() => proofs.proof({ memberId: BigInt(sample.idAt(member)), address }, DAY))),
      )
    }
    return times.slice(PROOFS / 10).toSorted((one, other) => one - other)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

// `npm run bench:solvency`: the tree of a million members by turns with the bare hashing of as many nodes; proofs from a
// database; and the check of the list of leaves.
await runBenchmark('Solvency', async () => {
  const sample = sampleMembers(members)
  const tenth = sampleMembers(members / 10)
  const times = { tree: [] as number[], tenth: [] as number[], floor: [] as number[] }
  let tree: BuiltTree | undefined
  for (let round = 0; round < rounds; round++) {
    times.floor.push(await secondsOf(() => hashAlone(members)))
    times.tree.push(
      await secondsOf(async () => {
        tree = await buildTree(CONTEXT, sample, saltsOf(KEY, DAY))
      }),
    )
    times.tenth.push(await secondsOf(() => buildTree(CONTEXT, tenth, saltsOf(KEY, DAY))))
  }
  const built = tree!
  const memoryMb = process.resourceUsage().maxRSS / 1_024
  const file = Buffer.concat([listHeader(CONTEXT, reportOf(built)), built.entries])
  rootOf(CONTEXT, reportOf(built), sha256Into)
  const verifier: number[] = []
  for (let round = 0; round < rounds; round++)
    verifier.push(
      await secondsOf(() => {
        const problem = checkList(file, createSha256())
        if (problem !== null) throw new Error(`${problem.problem} differs`)
      }),
    )
  const proofs = await proofTimes(sample, built)
  const ratio = median(times.tree.map((time, round) => time / times.floor[round]!))
  const growth = median(times.tree.map((time, round) => time / times.tenth[round]!))
  const proofMs = proofs[Math.floor(proofs.length * 0.95)]!
  const row = (what: string, value: string, limit: string) => [what, value, limit]
  console.log(
    `${members.toLocaleString('en')} members, ${built.entries.length / ENTRY_BYTES / GROUP_LEAVES} groups\n`,
  )
  console.log(
    `${markdownTable(
      ['', 'measured', 'at most'],
      [
        row('tree, s', median(times.tree).toFixed(2), `${MAX_TREE_S}`),
        row('the same hashes alone, s', median(times.floor).toFixed(2), ''),
        row('tree to hashes alone', ratio.toFixed(2), `${MAX_OVER_FLOOR}`),
        row('memory of the process, MB', memoryMb.toFixed(0), `${MAX_MEMORY_MB}`),
        row('a tenth of the members, s', median(times.tenth).toFixed(2), ''),
        row('tree to that of a tenth', growth.toFixed(2), `${MAX_GROWTH}`),
        row('proof, median, ms', median(proofs).toFixed(1), ''),
        row('proof, 95% within, ms', proofMs.toFixed(1), `${MAX_PROOF_MS}`),
        row('check of the list of leaves, s', median(verifier).toFixed(2), `${MAX_VERIFIER_S}`),
      ],
    )}\n`,
  )
  const floor = (name: string, value: number): Floor => ({ name, value, atLeast: 1 })
  return [
    floor('time allowed for the tree to its time', MAX_TREE_S / median(times.tree)),
    floor('memory allowed to memory', MAX_MEMORY_MB / memoryMb),
    floor('ratio allowed to the ratio over hashing alone', MAX_OVER_FLOOR / ratio),
    floor('growth allowed to growth', MAX_GROWTH / growth),
    floor('time allowed for a proof to its time', MAX_PROOF_MS / proofMs),
    floor('time allowed for the list to its time', MAX_VERIFIER_S / median(verifier)),
  ]
})
