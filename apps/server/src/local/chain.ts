import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pLimit from 'p-limit'
import type { Address } from 'viem'
import { type Anvil, BLOCKS_TO_FINALITY, rpcOver, startAnvil } from './anvil.ts'
import { writeFileAtomically } from './atomic-file.ts'
import { openGate } from './chain-gate.ts'
import { createMiner, type Miner } from './chain-miner.ts'
import { createRelay, type Relay } from './chain-relay.ts'
import { contractsPath } from './operator-files.ts'
import { processIdentity, stopLeftover } from './processes.ts'

export type LocalChain = Anvil & {
  /** Handles the JSON-RPC requests of browsers. */
  relay: Relay
  /** The unlocked accounts that the relay signs with. */
  demoAccounts: Address[]
  /** Runs work whose changes are not saved one by one. All of them are saved when the work succeeds. */
  unsaved<T>(work: () => Promise<T>): Promise<T>
}

export type LocalChainOptions = {
  /** The folder of the chain's files. */
  dir: string
  /** The number of blocks after which the product books a transaction. */
  confirmations: number
  /** The time of the first block of a new chain; default now. */
  beginsAt?: Date | undefined
  /** Removes the chain in `dir`. */
  startsOver?: boolean
}

const TICK_MS = 1000
/** The maximum time between blocks, because orders expire by the chain's clock. */
const IDLE_BLOCK_MS = 60_000
const STOP_GRACE_MS = 5000
const EXIT_NOTICE_MS = 500

/**
 * Starts the local chain: an Anvil that continues from the state in `dir`. Anvil saves its state only on a
 * clean exit, so it is saved here, completely and atomically, before any client sees a change (see openGate).
 * A node left by a killed run is stopped first. A keeper mines one block a second while a transaction waits
 * for its confirmations, otherwise one a minute. Throws StartError.
 */
export async function startChain(options: LocalChainOptions): Promise<LocalChain> {
  const { dir, beginsAt, startsOver = false } = options
  // Enough for the booking of a transaction and for the finality that a claim waits for.
  const confirmations = Math.max(options.confirmations, BLOCKS_TO_FINALITY + 1)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const statePath = join(dir, 'state.json')
  const pidPath = join(dir, 'anvil-pid.json')
  await stopPreviousNode(pidPath)
  if (startsOver) await removeChain(dir)
  const hasState = await repairState(statePath)
  const anvil = await startAnvil({
    logFile: join(dir, 'anvil.log'),
    loadState: hasState ? statePath : undefined,
    beginsAt,
    automine: false,
  })
  const miner = createMiner(anvil)
  await writeFileAtomically(
    pidPath,
    JSON.stringify({ pid: anvil.pid, identity: await processIdentity(anvil.pid) }),
  )

  let fail: (reason: string) => void = () => undefined
  const failure = new Promise<string>((resolve) => {
    fail = resolve
  })
  let isSaving = true
  // One at a time: the gate and the end of unsaved work both save, and the newest state must stay.
  const inTurn = pLimit(1)
  const save = () =>
    inTurn(() => saveState(anvil, statePath)).catch((error: Error) => {
      // A node that has just ended fails to answer before its exit is noticed, and the exit is the better
      // reason.
      setTimeout(() => fail(`cannot be saved: ${error.message}`), EXIT_NOTICE_MS).unref()
      throw error
    })
  const gate = await openGate(miner, async () => {
    await miner.mineSent()
    if (isSaving) await save()
  })
  const rpc = rpcOver(gate.forward)
  // A reloaded node has only the state of its last block, so blocks are mined until that one is final.
  if (hasState) await rpc('anvil_mine', [`0x${confirmations.toString(16)}`])
  const [, ...demoAccounts] = await rpc<Address[]>('eth_accounts')
  const stopKeeper = startKeeper({ rpc, miner, confirmations })
  return {
    rpcUrl: gate.rpcUrl,
    pid: anvil.pid,
    rpc,
    forward: gate.forward,
    relay: createRelay(gate, demoAccounts),
    demoAccounts,
    async unsaved(work) {
      isSaving = false
      const result = await work()
      isSaving = true
      await save()
      return result
    },
    exited: Promise.race([anvil.exited, failure]),
    stop: async () => {
      await stopKeeper()
      gate.close()
      await anvil.stop()
    },
  }
}

async function saveState(anvil: Anvil, statePath: string): Promise<void> {
  const dump = await anvil.rpc<string>('anvil_dumpState', [false])
  await writeFileAtomically(statePath, gunzipSync(Buffer.from(dump.slice(2), 'hex')))
}

/** Removes the blocks and the contracts of a chain; the operator's keys stay. */
async function removeChain(dir: string): Promise<void> {
  for (const path of [join(dir, 'state.json'), contractsPath(dir)]) await rm(path, { force: true })
}

/**
 * Removes the second genesis block that a node adds when it loads a state: with two, the next node picks one
 * at random. The oldest is the chain's own. Returns false if there is no state yet.
 */
async function repairState(statePath: string): Promise<boolean> {
  const text = await readFile(statePath, 'utf8').catch(() => undefined)
  if (text === undefined) return false
  const state = JSON.parse(text) as { blocks: { header: { number: string; timestamp: string } }[] }
  const isGenesis = ({ header }: (typeof state.blocks)[number]) => Number(header.number) === 0
  const [genesis, ...others] = state.blocks
    .filter(isGenesis)
    .sort((a, b) => Number(a.header.timestamp) - Number(b.header.timestamp))
  if (genesis && others.length > 0) {
    state.blocks = [genesis, ...state.blocks.filter((block) => !isGenesis(block))]
    await writeFileAtomically(statePath, JSON.stringify(state))
  }
  return true
}

async function stopPreviousNode(pidPath: string): Promise<void> {
  const stored = await readFile(pidPath, 'utf8').then(
    (text) => JSON.parse(text) as { pid: number; identity: string },
    () => undefined,
  )
  if (stored && (await processIdentity(stored.pid)) === stored.identity) {
    await stopLeftover(stored.pid, STOP_GRACE_MS)
  }
}

interface Keeping {
  rpc: Anvil['rpc']
  miner: Pick<Miner, 'isAutomatic'>
  confirmations: number
}

/**
 * Mines until sent transactions are final, except while the caller mines. Blocks with transactions are mined as these are
 * sent (createMiner).
 */
function startKeeper({ rpc, miner, confirmations }: Keeping): () => Promise<void> {
  let seen: bigint | undefined
  let newestUsed = 0n
  let minedAt = Date.now()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function tick(): Promise<void> {
    const head = BigInt(await rpc<string>('eth_blockNumber'))
    for (let number = (seen ?? head - 1n) + 1n; number <= head; number++) {
      const block = `0x${number.toString(16)}`
      const count = await rpc<string | null>('eth_getBlockTransactionCountByNumber', [block])
      if (count && BigInt(count) > 0n) newestUsed = number
    }
    seen = head
    const isWaiting = newestUsed > 0n && head - newestUsed + 1n < BigInt(confirmations)
    if (!isWaiting && Date.now() - minedAt < IDLE_BLOCK_MS) return
    if (!miner.isAutomatic()) return
    await rpc('evm_mine')
    minedAt = Date.now()
  }

  function schedule(): void {
    if (stopped) return
    timer = setTimeout(() => {
      // A node that does not answer ends the product through `exited`.
      running = tick().then(schedule, schedule)
    }, TICK_MS)
  }
  schedule()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
