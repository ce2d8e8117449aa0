import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { rifBankBytecode } from '@rif/contracts/bytecode'
import { dayOf, parseMicros, toChainUnits } from '@rif/rules'
import { type BaseError, ContractFunctionRevertedError, createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { arbitrum } from '../../../../chain/arbitrum.ts'
import { type ChainExit, chainExit } from '../../../../chain/bank-exits.ts'
import { inTx } from '../../../../db/database.ts'
import type { SentTx, TestProduct } from '../../../../testing/test-product.ts'
import type { ExitRow } from '../treasury.repository.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const PAPER = `0x${'ab'.repeat(32)}`

export const newWallet = () => privateKeyToAccount(generatePrivateKey()).address

/** Creates the operators' actions on exits, in the product and on its chain. */
export function treasuryBank(product: TestProduct) {
  const { testChain, chain, services, db } = product
  const { exits, exitDestinations, ledger } = services
  const { usdt: address, bank } = chain.contracts
  const ofUsdt = { address, abi: amcTokenAbi, args: [bank] } as const

  /** Sends a call of the bank by the holder of a role, and mines it. */
  async function send(
    role: keyof TestProduct['testChain']['keys'],
    functionName: string,
    args: readonly unknown[],
  ): Promise<SentTx> {
    const account = privateKeyToAccount(testChain.keys[role] as Hex)
    const wallet = createWalletClient({ account, chain: arbitrum, transport: http(testChain.rpcUrl) })
    const call = { address: testChain.contracts.bank, abi: rifBankAbi, functionName, args, gas: 1_000_000n }
    return product.receiptOf(await wallet.writeContract(call as never))
  }

  const approvePayout = (amount: string, destination: string, more: { source?: 'revenue' | 'fees' } = {}) =>
    inTx(db, (dbTx) =>
      exits.approvePayout(dbTx, {
        source: more.source ?? 'revenue',
        asset: 'USDT',
        amountMicros: parseMicros(amount),
        destination: destination.toLowerCase(),
        purpose: 'rent',
        documentHash: PAPER,
        preparedBy: 'anna',
        approvedBy: 'ben',
      }),
    )

  const approveInvestment = (productId: bigint, amount: string, destination: string) =>
    inTx(db, (dbTx) =>
      exits.approveInvestment(dbTx, {
        productId,
        amountMicros: parseMicros(amount),
        destination: destination.toLowerCase(),
        evidence: {
          heldAt: 'the custodian',
          document: { title: 'Contract', mediaType: 'text/plain', content: Buffer.from('bonds') },
        },
        preparedBy: 'anna',
        approvedBy: 'ben',
      }),
    )

  return {
    send,
    approvePayout,
    approveInvestment,

    /** Lists a new destination, in the product and in the contract. */
    async list(): Promise<string> {
      const address = newWallet()
      await inTx(db, (dbTx) =>
        exitDestinations.approve(dbTx, {
          address: address.toLowerCase(),
          name: 'Our landlord',
          purpose: 'rent',
          preparedBy: 'anna',
          approvedBy: 'ben',
        }),
      )
      await send('admin', 'queueDestination', [address])
      await product.advance(2 * DAY_MS)
      await send('admin', 'executeDestination', [address])
      await product.finalise()
      return address
    },

    /**
     * Returns the findings of the audit. The publications of these tests have no report, which the audit
     * notes for each.
     */
    async audit() {
      const findings = await product.audit()
      return findings.filter(({ check }) => check !== 'solvency publication')
    },

    /** Returns the USDT holdings of the bank contract, in micro-units. */
    holdings: (): Promise<bigint> =>
      chain.untrustedClient.readContract({ ...ofUsdt, functionName: 'balanceOf' }),

    /** Publishes liabilities in USDT, as text or in micro-units, and none in AMC. */
    async publish(liabilities: string | bigint, fundCash = '0'): Promise<SentTx> {
      const { usdt, amc } = testChain.contracts
      const units = (text: string) => toChainUnits(parseMicros(text), 6)
      const owed = typeof liabilities === 'bigint' ? liabilities : units(liabilities)
      const totals = [
        { token: usdt, liabilities: owed, fundCash: units(fundCash) },
        { token: amc, liabilities: 0n, fundCash: 0n },
      ]
      const day = Math.floor(Date.parse(dayOf(product.now().getTime())) / DAY_MS) - 1
      return send('publisher', 'publishSolvency', [day, PAPER, { ledger: PAPER, operators: PAPER }, totals])
    },

    /**
     * Deploys a successor and hands everything over to it after seven days and `meanwhile`. The product does
     * not follow it.
     */
    async handOver(meanwhile: () => Promise<void>): Promise<void> {
      const { keys, contracts, accounts } = testChain
      const wallet = createWalletClient({
        account: accounts[0]!,
        chain: arbitrum,
        transport: http(testChain.rpcUrl),
      })
      const role = (key: keyof typeof keys) => privateKeyToAccount(keys[key] as Hex).address
      const config = {
        usdt: contracts.usdt,
        amc: contracts.amc,
        predecessor: contracts.bank,
        adminDelay: 3 * 86_400,
        admin: role('admin'),
        quoteSigner: newWallet(),
        claimSigner: newWallet(),
        publisher: role('publisher'),
        pauser: role('pauser'),
        guardian: role('guardian'),
        treasurer: role('treasurer'),
        usdtDailyCap: 1n,
        amcDailyCap: 1n,
      }
      const { bytecode } = rifBankBytecode
      const hash = await wallet.deployContract({ abi: rifBankAbi, bytecode, args: [config] })
      await product.receiptOf(hash)
      const { contractAddress } = await testChain.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [
        hash,
      ])
      await send('admin', 'queueHandOver', [contractAddress])
      await product.advance(7 * DAY_MS)
      await meanwhile()
      await send('admin', 'executeHandOver', [])
    },

    /** Returns the wallet of a role of the contract. */
    walletOf: (key: keyof typeof testChain.keys) => privateKeyToAccount(testChain.keys[key] as Hex).address,

    terms: (exit: ExitRow): ChainExit => chainExit(chain, exit),
    announce: (exit: ExitRow) => send('treasurer', 'announceExit', [chainExit(chain, exit)]),
    execute: (exit: ExitRow) => send('quoteSigner', 'executeExit', [chainExit(chain, exit)]),

    /**
     * Returns the error, with its arguments, with which the contract would refuse to execute an exit now;
     * undefined if it would execute it.
     */
    async refusal(exit: ExitRow): Promise<[string | undefined, readonly unknown[] | undefined] | undefined> {
      const call = { address: chain.contracts.bank, abi: rifBankAbi, functionName: 'executeExit' } as const
      const error = await chain.untrustedClient
        .simulateContract({ ...call, args: [chainExit(chain, exit)] })
        .then(() => undefined)
        .catch((cause: BaseError) => cause.walk((link) => link instanceof ContractFunctionRevertedError))
      const { data } = (error ?? {}) as ContractFunctionRevertedError
      return data && [data.errorName, data.args]
    },

    /** Returns an exit as shown by the API. */
    async state(exit: ExitRow) {
      const { items } = await exits.list({ show: 'all', limit: 100 })
      return items.find(({ exit_id }) => exit_id === `${exit.exitId}`)!
    },

    /** Returns the operator's accounts in USDT, in whole USDT. */
    async accounts(): Promise<Record<string, number>> {
      const sums = await ledger.flows.accountsNow(db, ['revenue', 'fees', 'exit_hold', 'shortfall'])
      const ofUsdt = sums.filter(({ asset }) => asset === 'USDT')
      return Object.fromEntries(ofUsdt.map(({ account, micros }) => [account, Number(micros) / 1e6]))
    },
  }
}
