import { hash, randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AMOUNTS_BYTES, HASH_BYTES, LEAF_BYTES, NODE_BYTES, type Report } from '@rif/solvency'
import type { SnapshotMembers } from '../../apps/server/src/modules/trust/solvency/snapshot/members.ts'
import { saltsOf } from '../../apps/server/src/modules/trust/solvency/snapshot/salts.ts'
import { createSha256 } from '../../apps/server/src/modules/trust/solvency/snapshot/sha256.ts'
import { type BuiltTree, buildTree } from '../../apps/server/src/modules/trust/solvency/snapshot/tree.ts'
import { median, medianRatio } from '../kit/rounds.ts'

export const SALT_KEY = Buffer.alloc(32, 9)
const DAY = '2026-11-21'
export const CONTEXT = { chainId: 42161, bank: `0x${'b0'.repeat(20)}`, dayNumber: 20_778 }

/** Seconds by the clock, and processor seconds of this process. */
export interface Time {
  readonly wall: number
  readonly cpu: number
}

export async function timeOf(work: () => unknown): Promise<Time> {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  return { wall: (performance.now() - begun) / 1_000, cpu: (user + system) / 1e6 }
}

export const medianTime = (times: readonly Time[]): Time => ({
  wall: median(times.map(({ wall }) => wall)),
  cpu: median(times.map(({ cpu }) => cpu)),
})

/** Returns the medians of the ratios of each round. */
export const ratioOf = (times: readonly Time[], base: readonly Time[]): Time => ({
  wall: medianRatio(
    times.map(({ wall }) => wall),
    base.map(({ wall }) => wall),
  ),
  cpu: medianRatio(
    times.map(({ cpu }) => cpu),
    base.map(({ cpu }) => cpu),
  ),
})

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
  return { count, addresses, amounts, idAt: (member) => member + 1 }
}

/**
 * Returns prepared messages with the length of a leaf or a node, each with different bytes. They fit into the
 * cache of a core.
 */
const PREPARED = 1_024

function preparedMessages(bytes: number): Uint8Array[] {
  const stride = 128
  const all = randomBytes(PREPARED * stride)
  return Array.from(
    { length: PREPARED },
    (_, place) => new Uint8Array(all.buffer, all.byteOffset + place * stride, bytes),
  )
}

const LEAVES = preparedMessages(LEAF_BYTES)
const NODES = preparedMessages(NODE_BYTES)

/**
 * Returns the number of nodes above the leaves that a tree must hash: all except those with only empty
 * leaves.
 */
function nodesAbove(leaves: number): number {
  let nodes = 0
  for (let level = leaves; level > 1; level = Math.ceil(level / 2)) nodes += Math.ceil(level / 2)
  return nodes
}

/**
 * Hashes as many messages of leaves and nodes as a tree has, with one call for each. Uses the cheapest output
 * of `crypto.hash`, a text, and discards it.
 */
function hashAlone(count: number): void {
  for (let place = 0; place < count; place++) hash('sha256', LEAVES[place % PREPARED]!, 'binary')
  const nodes = nodesAbove(count)
  for (let place = 0; place < nodes; place++) hash('sha256', NODES[place % PREPARED]!, 'binary')
}

/**
 * Does the same with the product's hash function, which writes 32 bytes into an array, because a text cannot
 * be the input of the next hash.
 */
function hashToBytes(count: number): void {
  const sha256 = createSha256()
  const target = new Uint8Array(PREPARED * HASH_BYTES)
  for (let place = 0; place < count; place++)
    sha256(LEAVES[place % PREPARED]!, target, (place % PREPARED) * HASH_BYTES)
  const nodes = nodesAbove(count)
  for (let place = 0; place < nodes; place++)
    sha256(NODES[place % PREPARED]!, target, (place % PREPARED) * HASH_BYTES)
}

export function reportOf(tree: BuiltTree): Report {
  const head = `0x${'00'.repeat(HASH_BYTES)}`
  return {
    tree: tree.tree,
    leaves: tree.leaves,
    members: tree.sums,
    other: { usdt: 1n, amc: 2n },
    fundCash: 3n,
    fundInvested: 4n,
    ledgerHead: head,
    operatorsHead: head,
  }
}

setFlagsFromString('--expose-gc')
/** Frees the 120 MB of an earlier tree, which would otherwise be freed during another measurement. */
const freeMemory: () => void = runInNewContext('gc')

/** Builds trees alternately with the two floors, after a warm-up round. Also returns the last tree. */
export async function measureTrees(members: number, rounds: number) {
  const sample = sampleMembers(members)
  const tenth = sampleMembers(members / 10)
  const times = {
    hashes: [] as Time[],
    bytes: [] as Time[],
    tree: [] as Time[],
    tenth: [] as Time[],
  }
  let tree: BuiltTree | undefined
  const measured = {
    hashes: () => hashAlone(members),
    tree: async () => {
      tree = await buildTree(CONTEXT, sample, saltsOf(SALT_KEY, DAY))
    },
    bytes: () => hashToBytes(members),
    // Ten times, so that both sides of the growth take equally long and meet the same load of other
    // processes.
    tenth: async () => {
      for (let place = 0; place < 10; place++) await buildTree(CONTEXT, tenth, saltsOf(SALT_KEY, DAY))
    },
  }
  for (let round = 0; round <= rounds; round++) {
    for (const name of Object.keys(measured) as (keyof typeof measured)[]) {
      freeMemory()
      const time = await timeOf(measured[name])
      process.stderr.write(
        `round ${round}: ${name} ${time.wall.toFixed(2)} s, ${time.cpu.toFixed(2)} s of processor\n`,
      )
      if (round > 0) times[name].push(time)
    }
  }
  return { ...times, built: tree!, memoryMb: process.resourceUsage().maxRSS / 1_024 }
}
