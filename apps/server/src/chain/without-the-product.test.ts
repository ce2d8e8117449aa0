import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rifBankAbi } from '@rif/contracts/abi'
import {
  type AbiFunction,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseAbiItem,
  parseUnits,
  stringToHex,
  toEventSelector,
  toFunctionSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PROJECT_ROOT } from '../config.ts'
import { deployBank } from '../local/deploy.ts'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { arbitrum } from './arbitrum.ts'

// docs/operations/keys.md, "Without the product": each printed command is sent to a deployed bank, as every holder that is
// named and as every other one.

const DAY_S = 86_400
const GAS = '0xf4240'

type Holder = 'pauser' | 'guardian' | 'default admin' | 'treasurer' | 'new default admin' | 'a stranger'

interface Command {
  readonly signature: string
  /** As printed: `$NAME`, or `$(cast keccak NAME)`. */
  readonly args: readonly string[]
  /** The printed result; only of a command that reads. */
  readonly result: string | undefined
}

interface Act {
  readonly name: string
  readonly holders: readonly Holder[]
  readonly send: Command
  readonly read: Command
}

const page = readFileSync(join(PROJECT_ROOT, 'docs/operations/keys.md'), 'utf8')
const section = /^## Without the product\n(.*?)^## /ms.exec(page)![1]!
const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text!)
const lines = blocks.join('\n').split('\n')

function commandOf(line: string): Command {
  const [, signature = '', args = '', result] =
    /^cast (?:send|call) \$BANK "([^"]+)"(.*?)(?: --ledger)?(?:\s+# (.*))?$/.exec(line) ?? []
  expect(signature, line).not.toBe('')
  return { signature, args: args.match(/\$\(cast keccak \w+\)|\$\w+/g) ?? [], result }
}

const acts: Act[] = blocks
  .flatMap((block) => block.trim().split('\n\n'))
  .filter((text) => text.includes('cast send'))
  .map((text) => {
    const [title = '', send = '', read = ''] = text.split('\n')
    const [, name = '', holders = ''] = /^# (.*): (.*)$/.exec(title) ?? []
    return {
      name,
      holders: holders.split(', ') as Holder[],
      send: commandOf(send),
      read: commandOf(read),
    }
  })
const nameOf = ({ signature }: Command) => signature.slice(0, signature.indexOf('('))

let chain: TestChain
let bank: Address
let wallets: Record<Holder, Address>
let values: Record<string, string>
/** The values that differ for some functions. */
let valuesOf: Partial<Record<string, Record<string, string>>>
let snapshot: unknown

const client = () => createPublicClient({ chain: arbitrum, transport: http(chain.rpcUrl) })

beforeAll(async () => {
  chain = await startTestChain()
  const account = (index: number) => getAddress(chain.accounts[index]!)
  const [admin, pauser, guardian, treasurer] = [account(1), account(2), account(3), account(4)]
  const [stranger, heir, other] = [account(5), account(6), account(7)]
  const { usdt, amc } = chain.contracts
  const settings = { usdt, amc, admin, pauser, guardian, treasurer }
  bank = await deployBank(chain, chain.keys, settings)
  const successor = getAddress(await deployBank(chain, chain.keys, { ...settings, predecessor: bank }))
  wallets = {
    pauser,
    guardian,
    'default admin': admin,
    treasurer,
    'new default admin': heir,
    'a stranger': stranger,
  }
  values = {
    ACCOUNT: other,
    CAP: `${parseUnits('1500000', 6)}`,
    DESTINATION: privateKeyToAddress(generatePrivateKey()),
    EXIT: '17',
    GUARDIAN: guardian,
    SECONDS_OF_DELAY: `${5 * DAY_S}`,
    SIGNER: privateKeyToAddress(generatePrivateKey()),
    SUCCESSOR: successor,
    TOKEN: usdt,
  }
  const ofClaims = { SIGNER: privateKeyToAddress(chain.keys.claimSigner) }
  valuesOf = {
    acceptDefaultAdminTransfer: { ACCOUNT: heir },
    beginDefaultAdminTransfer: { ACCOUNT: heir },
    dismissClaimSigner: ofClaims,
    lowerDailyCap: { CAP: '5' },
    renounceRole: { ACCOUNT: pauser },
    revokeRole: { ACCOUNT: treasurer },
  }
})
afterAll(() => chain.stop())
beforeEach(async () => {
  snapshot = await chain.rpc('evm_snapshot')
})
afterEach(() => chain.rpc('evm_revert', [snapshot]))

type Step = readonly [Holder, string, ...unknown[]] | number

/** Returns what must have happened before a function is called; numbers are seconds to wait. */
function before(name: string): readonly Step[] {
  const { ACCOUNT, CAP, DESTINATION, EXIT, GUARDIAN, SECONDS_OF_DELAY, SIGNER, SUCCESSOR, TOKEN } = values
  const admin = 'default admin'
  const listed: Step[] = [[admin, 'queueDestination', DESTINATION], 2 * DAY_S]
  const exit = [BigInt(EXIT!), 0, 0n, TOKEN, DESTINATION, 1n] as const
  const [exitId, kind, productId, token, to, amount] = exit
  const steps: Record<string, readonly Step[]> = {
    acceptDefaultAdminTransfer: [
      [admin, 'beginDefaultAdminTransfer', wallets['new default admin']],
      3 * DAY_S + 1,
    ],
    cancelCapRaise: [[admin, 'queueCapRaise', TOKEN, BigInt(CAP!)]],
    cancelClaimSigner: [[admin, 'queueClaimSigner', SIGNER]],
    cancelDefaultAdminTransfer: [[admin, 'beginDefaultAdminTransfer', ACCOUNT]],
    cancelDestination: [[admin, 'queueDestination', DESTINATION]],
    cancelExit: [
      ...listed,
      [admin, 'executeDestination', DESTINATION],
      ['treasurer', 'announceExit', { exitId, kind, productId, token, to, amount }],
    ],
    cancelGuardianRemoval: [[admin, 'queueGuardianRemoval', GUARDIAN]],
    cancelHandOver: [[admin, 'queueHandOver', SUCCESSOR]],
    executeCapRaise: [[admin, 'queueCapRaise', TOKEN, BigInt(CAP!)], 2 * DAY_S],
    executeClaimSigner: [[admin, 'queueClaimSigner', SIGNER], 2 * DAY_S],
    executeDestination: listed,
    executeGuardianRemoval: [[admin, 'queueGuardianRemoval', GUARDIAN], 2 * DAY_S],
    executeHandOver: [[admin, 'queueHandOver', SUCCESSOR], 7 * DAY_S],
    removeDestination: [...listed, [admin, 'executeDestination', DESTINATION]],
    rollbackDefaultAdminDelay: [[admin, 'changeDefaultAdminDelay', Number(SECONDS_OF_DELAY)]],
    unpauseOrders: [['guardian', 'pauseOrders']],
  }
  return steps[name] ?? []
}

/** Replaces the printed variables by the values of a call. */
function filled(text: string, of: string): string {
  const all = { ...values, ...valuesOf[of] }
  return text
    .replaceAll(/\$\(cast keccak (\w+)\)/g, (_, role: string) => keccak256(stringToHex(role)))
    .replaceAll(/\$(\w+)/g, (_, name: string) => {
      expect(all[name], name).toBeDefined()
      return all[name]!
    })
}

/** Parses a printed signature; that of a command that reads ends with the types of its results. */
function functionOf({ signature, result }: Command): AbiFunction {
  const [, call, outputs] = /^(\w+\([^()]*\))(?:\((.*)\))?$/.exec(signature) ?? []
  const text = result === undefined && outputs === undefined ? call : `${call} view returns (${outputs})`
  return parseAbiItem(`function ${text}`) as AbiFunction
}

function argsOf({ args }: Command, { inputs }: AbiFunction, of: string): unknown[] {
  expect(args, of).toHaveLength(inputs.length)
  return inputs.map(({ type }, index) => {
    const text = filled(args[index]!, of)
    return /^uint/.test(type) ? BigInt(text) : text
  })
}

/** Writes a value as `cast call` prints it. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(shownItem).join(', ')}]` : `${value}`
}
const shownItem = (value: unknown) =>
  Array.isArray(value) ? `(${value.map((part) => `${part}`).join(', ')})` : `${value}`

async function read(command: Command, of: string): Promise<string> {
  const item = functionOf(command)
  const result = await client().readContract({
    address: bank,
    abi: [item],
    functionName: item.name,
    args: argsOf(command, item, of),
  })
  return item.outputs.length > 1 ? (result as unknown[]).map(shown).join(', ') : shown(result)
}

/** Sends data to the bank from a wallet, whatever comes of it. Returns whether it was executed. */
async function send(from: Address, data: Hex): Promise<boolean> {
  const hash = await chain.rpc<Hex>('eth_sendTransaction', [{ from, to: bank, data, gas: GAS }])
  const { status } = await client().waitForTransactionReceipt({ hash, checkReplacement: false })
  return status === 'success'
}

async function prepare(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (typeof step === 'number') {
      await chain.rpc('evm_increaseTime', [step])
      await chain.mine(1)
      continue
    }
    const [holder, functionName, ...args] = step
    const data = encodeFunctionData({ abi: rifBankAbi, functionName, args } as never)
    expect(await send(wallets[holder], data), functionName).toBe(true)
  }
}

/** Returns the name of the error with which the bank refuses a call; undefined if it does not. */
async function refusal(
  account: Address,
  { name }: AbiFunction,
  args: unknown[],
): Promise<string | undefined> {
  const call = { address: bank, abi: rifBankAbi, functionName: name, args, account }
  const error = await client()
    .simulateContract(call as never)
    .then(() => undefined)
    .catch((reason: unknown) => reason)
  if (!(error instanceof BaseError)) return undefined
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
  return (reverted as ContractFunctionRevertedError | null)?.data?.errorName ?? error.shortMessage
}

const bankFunctions = rifBankAbi.filter((item) => item.type === 'function')

test('every function that is for holders of a role is printed, with the signature of the contract', () => {
  const printed = acts.map(({ send }) => toFunctionSignature(functionOf(send)))
  const writing = bankFunctions.filter(({ stateMutability }) => stateMutability === 'nonpayable')
  // Members, the signer, the treasurer's announcement and what anybody may do belong to no holder of these roles.
  const others = ['payOrder', 'payOrderWithPermit', 'depositRevenue', 'claim', 'claimMany']
  const ofExits = ['publishSolvency', 'announceExit', 'executeExit']
  const expected = writing.filter(({ name }) => ![...others, ...ofExits].includes(name))
  expect(printed.toSorted()).toEqual(expected.map((item) => toFunctionSignature(item)).sort())
})

test('every printed read has the arguments and results of the contract', async () => {
  const reads = lines.filter((line) => line.startsWith('cast call')).map(commandOf)
  expect(acts.length).toBeGreaterThan(25)
  expect(reads.length).toBeGreaterThan(acts.length)
  for (const command of reads) {
    const item = functionOf(command)
    const own = bankFunctions.find(({ name }) => name === item.name)
    const types = (of: readonly { type: string; components?: readonly { type: string }[] }[]) =>
      of.map(({ type, components }) => [type, components?.map((component) => component.type)])
    expect(types(item.outputs), item.name).toEqual(types(own!.outputs))
    expect(toFunctionSignature(item)).toBe(toFunctionSignature(own!))
    await read(command, '')
  }
  const event = /^cast logs .*"([^"]+)"$/m.exec(section)![1]!
  expect(rifBankAbi.filter((item) => item.type === 'event').map((item) => toEventSelector(item))).toContain(
    toEventSelector(event),
  )
  const roles = /^The roles are ([^.]*)\./m.exec(section)![1]!.match(/\w+_ROLE/g)!
  for (const role of roles) {
    const call = { address: bank, abi: rifBankAbi, functionName: role } as never
    expect(await client().readContract(call), role).toBe(keccak256(stringToHex(role)))
  }
})

test.each(acts.map((act) => [`${act.name} (${nameOf(act.send)})`, act] as const))(
  '%s: the named holders can, nobody else',
  async (_name, { holders, send: command, read: check }) => {
    const of = nameOf(command)
    await prepare(before(of))
    const item = functionOf(command)
    const args = argsOf(command, item, of)
    const data = encodeFunctionData({ abi: [item], args } as never)
    const unchanged = await read(check, of)
    for (const holder of Object.keys(wallets) as Holder[]) {
      if (holders.includes(holder)) continue
      expect(await refusal(wallets[holder], item, args), `${holder}: ${of}`).toMatch(/^AccessControl/)
      expect(await send(wallets[holder], data), holder).toBe(false)
      expect(await read(check, of)).toBe(unchanged)
    }
    const pattern = filled(check.result!, of)
      .split('...')
      .map((part) => part.replaceAll(/[[\]()]/g, '\\$&'))
      .join('.+')
    expect(unchanged).not.toMatch(new RegExp(`^${pattern}$`))
    for (const holder of holders) {
      const prepared = await chain.rpc('evm_snapshot')
      expect(await send(wallets[holder], data), holder).toBe(true)
      expect(await read(check, of), holder).toMatch(new RegExp(`^${pattern}$`))
      await chain.rpc('evm_revert', [prepared])
    }
  },
)
