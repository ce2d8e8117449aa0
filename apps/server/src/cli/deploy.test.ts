import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rifBankAbi } from '@rif/contracts/abi'
import { createWalletClient, getAddress, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { arbitrum } from '../chain/arbitrum.ts'
import { BANK_ROLES } from '../chain/bank-state.ts'
import { connectChain } from '../chain/client.ts'
import { type DeploymentPlan, deploymentProblems } from '../chain/deployment.ts'
import type { ContractsFile } from '../json-settings.ts'
import { StartError } from '../lib/start-error.ts'
import { freePort } from '../local/processes.ts'
import { parseSettings } from '../settings.ts'
import { startTestChain, type TestChain } from '../testing/test-chain.ts'
import { deploy } from './deploy.ts'
import { explain } from './explain.ts'

let chain: TestChain
let dir: string
const deployer = generatePrivateKey()
const admin = generatePrivateKey()
const address = (key = generatePrivateKey()) => privateKeyToAccount(key).address

beforeAll(async () => {
  chain = await startTestChain()
  dir = await mkdtemp(join(tmpdir(), 'rif-deploy-'))
  for (const key of [deployer, admin])
    await chain.rpc('anvil_setBalance', [address(key), `0x${parseEther('10').toString(16)}`])
})
afterAll(async () => {
  await chain.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A deployment with another token in the place of the test USDT, and a new key for every role. */
const deployment = () => ({
  chain_id: 42161,
  usdt: chain.contracts.amc,
  amc: { holder: address(), supply: '1000000000' },
  admin: address(admin),
  admin_delay_hours: 72,
  quote_signer: address(),
  claim_signer: address(),
  publisher: address(),
  pauser: address(),
  guardian: address(),
  treasurer: address(),
  daily_caps: { usdt: '50000', amc: '200000' },
})

let files = 0
let notes: string[] = []

/** Deploys a file. Returns the contracts that the command has written. */
async function run(file: object, env: object = {}): Promise<ContractsFile> {
  const path = join(dir, `deployment-${++files}.json`)
  await writeFile(path, JSON.stringify(file))
  return runFile(path, env)
}

async function runFile(path: string, env: object = {}): Promise<ContractsFile> {
  const output: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output.push(String(text))
    return true
  })
  const note = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    notes.push(String(text))
    return true
  })
  try {
    await deploy([path], { DEPLOYER_KEY: deployer, DEPLOY_RPC_URL: chain.rpcUrl, ...env })
  } finally {
    write.mockRestore()
    note.mockRestore()
  }
  expect(output).toEqual([`CONTRACTS_FILE=${path}.contracts\n`])
  expect(notes.at(-1)).toContain(`${path}.contracts`)
  return JSON.parse(await readFile(`${path}.contracts`, 'utf8'))
}

test('deploys the contracts of the file, with exactly its role holders, and writes the file of CONTRACTS', async () => {
  const file = deployment()
  const written = await run(file)
  // The server and `rif sign` read what was written.
  const { CONTRACTS } = parseSettings({ CONTRACTS: JSON.stringify(written) })
  const { addresses: contracts, startBlock, usdtDecimals } = CONTRACTS!
  expect(startBlock).toBeGreaterThan(0n)
  // `rif sign` cannot ask the token.
  expect(usdtDecimals).toBe(18)
  // The server's checks at start.
  const { untrustedClient: client } = await connectChain({
    rpcUrls: [chain.rpcUrl],
    chainId: 42161,
    contracts,
  })
  const holders = async (role: keyof typeof BANK_ROLES) =>
    client.readContract({
      address: contracts.bank,
      abi: rifBankAbi,
      functionName: 'getRoleMembers',
      args: [BANK_ROLES[role]],
    } as const)
  expect(await holders('claim_signer')).toEqual([file.claim_signer])
  expect(await holders('admin')).toEqual([file.admin])
  expect(await holders('publisher')).toEqual([file.publisher])

  const plan: DeploymentPlan = {
    usdt: getAddress(file.usdt),
    amc: contracts.amc,
    adminDelayS: 72 * 3_600,
    dailyCaps: file.daily_caps,
    predecessor: null,
    roles: {
      admin: file.admin,
      quote_signer: file.quote_signer,
      claim_signer: file.claim_signer,
      publisher: file.publisher,
      pauser: file.pauser,
      guardian: file.guardian,
      treasurer: file.treasurer,
    },
  }
  expect(await deploymentProblems(client, plan, contracts)).toEqual([])

  // Every difference from the file is found afterwards, whoever made it.
  const wallet = createWalletClient({
    account: privateKeyToAccount(admin),
    chain: arbitrum,
    transport: http(chain.rpcUrl),
  })
  const [thief, second] = [address(), address()]
  for (const [functionName, args] of [
    ['grantRole', [BANK_ROLES.pauser, second]],
    ['queueClaimSigner', [thief]],
    ['lowerDailyCap', [contracts.usdt, 1n]],
    ['beginDefaultAdminTransfer', [thief]],
  ] as const) {
    const call = { address: contracts.bank, abi: rifBankAbi, functionName, args }
    await client.waitForTransactionReceipt({
      hash: await wallet.writeContract(call as never),
      checkReplacement: false,
      pollingInterval: 20,
    })
  }
  expect(await deploymentProblems(client, plan, contracts)).toEqual([
    expect.stringMatching(/^the successor of the admin is/),
    expect.stringMatching(/^the daily cap of USDT is 1, expected 5/),
    'the number of queued changes is 1, expected 0',
    `pauser is held by ${file.pauser}, ${second}, expected ${file.pauser}`,
  ])
  const swapped = { ...contracts, transfer: contracts.bank }
  expect(await deploymentProblems(client, plan, swapped)).toEqual([
    expect.stringMatching(/^the code of the transfer contract at/),
  ])
})

test('continues an interrupted deployment and deploys nothing twice', { tags: ['full'] }, async () => {
  const path = join(dir, 'interrupted.json')
  await writeFile(path, JSON.stringify(deployment()))
  const count = () => chain.rpc<string>('eth_getTransactionCount', [address(deployer), 'latest'])
  const before = Number(await count())
  notes = []
  const first = await runFile(path)
  const stored = JSON.parse(await readFile(`${path}.progress`, 'utf8'))
  expect(notes).toHaveLength(4)
  expect(notes[1]).toMatch(
    new RegExp(
      `^bank: ${first.bank} in transaction 0x[0-9a-f]{64}, \\d+ gas, constructor arguments 0x[0-9a-f]+\n$`,
    ),
  )
  // As after a kill between signing and sending the last transaction, and between sending it and its receipt.
  for (const names of [['amc'], ['amc', 'bank'], ['amc', 'bank', 'transfer']]) {
    const kept = Object.fromEntries(names.map((name) => [name, stored.transactions[name]]))
    const again = join(dir, `interrupted-${names.length}.json`)
    await writeFile(again, await readFile(path))
    await writeFile(`${again}.progress`, JSON.stringify({ ...stored, transactions: kept }))
    const continued = await runFile(again)
    expect(continued.amc).toBe(first.amc)
    expect(continued.start_block).toBe(first.start_block)
    if (names.length > 1) expect(continued.bank).toBe(first.bank)
  }
  // Three contracts, and those that the stored transactions did not contain: two, and one.
  expect(Number(await count()) - before).toBe(3 + 2 + 1)
  await writeFile(path, JSON.stringify(deployment()))
  await expect(runFile(path)).rejects.toThrow('belongs to another deployment')
  // As after a disk that was full.
  for (const text of ['', '{"sha256": "']) {
    await writeFile(`${path}.progress`, text)
    await expect(runFile(path)).rejects.toEqual(new StartError(`${path}.progress is not JSON`))
  }
})

test('a successor names its predecessor, which has the same tokens and is open', {
  tags: ['full'],
}, async () => {
  const first = await run(deployment())
  const { usdt, amc } = first
  const next = { ...deployment(), usdt, amc }
  const inUse = (contracts: object) => ({ CONTRACTS: JSON.stringify(contracts) })
  const second = await run({ ...next, predecessor: first.bank }, inUse(first))
  const { transfer, start_block, usdt_decimals } = first
  expect(second).toEqual({
    bank: expect.any(String),
    former_banks: [first.bank],
    transfer,
    usdt,
    usdt_decimals,
    amc,
    start_block,
    bank_start_block: expect.any(Number),
  })
  expect(second.bank_start_block).toBeGreaterThan(start_block)
  const third = await run({ ...next, predecessor: second.bank }, inUse(second))
  expect(third).toMatchObject({ former_banks: [first.bank, second.bank], transfer, start_block })

  await expect(run({ ...next, predecessor: first.bank })).rejects.toThrow('a predecessor needs CONTRACTS')
  await expect(run({ ...next, predecessor: first.bank }, inUse(second))).rejects.toThrow(
    `CONTRACTS.bank must be the predecessor ${first.bank}`,
  )
  // A bank with another AMC could never receive the holdings.
  const other = deployment()
  await expect(run({ ...other, predecessor: first.bank }, inUse(first))).rejects.toThrow(
    `the predecessor at ${first.bank} has other tokens`,
  )
  await expect(run({ ...next, predecessor: usdt }, inUse({ ...first, bank: usdt }))).rejects.toThrow()
})

test('refuses the test token, a role for the deployer, and a file that the contract would refuse', async () => {
  const file = deployment()
  await expect(run({ ...file, usdt: chain.contracts.usdt })).rejects.toThrow('is the test token')
  await expect(run({ ...file, pauser: address(deployer) })).rejects.toThrow(
    'the deployer must not hold a role',
  )
  await expect(run({ ...file, admin_delay_hours: 47 })).rejects.toThrow('admin_delay_hours')
  await expect(run({ ...file, pauser: 'me' })).rejects.toThrow('pauser: must be an address')
  await expect(run({ ...file, chain_id: 1 })).rejects.toThrow('the node is on chain 42161, expected 1')
  await expect(deploy([], {})).rejects.toThrow('Usage')
})

test('gives one line for what the contract or the node refuses', async () => {
  const file = deployment()
  const refusal = (change: object, env?: object) =>
    run({ ...file, ...change }, env).then(
      () => 'none',
      (error: unknown) => explain(error),
    )
  expect(await refusal({ guardian: file.pauser })).toMatch(/^the contract refuses: \w+\(.*\)$/)
  expect(await refusal({ daily_caps: { ...file.daily_caps, amc: '1000000000' } })).toMatch(
    /^the contract refuses: \w+\(1000000000000000000000000000, 1000000000000000000000000000\)$/,
  )
  const nobody = address()
  for (const line of [
    await refusal({ usdt: nobody }),
    await refusal({}, { DEPLOYER_KEY: generatePrivateKey() }),
    await refusal({}, { DEPLOY_RPC_URL: 'node' }),
    await refusal({}, { DEPLOYER_KEY: `0x${'0'.repeat(64)}` }),
  ])
    expect(line).toMatch(/^.{20,300}$/)
  const unreachable = { DEPLOY_RPC_URL: `http://127.0.0.1:${await freePort()}` }
  expect(await refusal({}, unreachable)).toContain('(DEPLOY_RPC_URL)')
})
