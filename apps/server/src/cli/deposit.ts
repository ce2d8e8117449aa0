import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { rifBankAbi } from '@rif/contracts/abi'
import {
  isAmount,
  isMicrosText,
  isRevenueLabel,
  type PaymentAsset,
  parseMicros,
  REVENUE_LABEL_BYTES,
  revenueDepositCalls,
  toChainUnits,
} from '@rif/rules'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Chain } from '../chain/client.ts'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import { openSubject } from './audit.ts'
import { usageOf } from './usage.ts'

/** A call to send with the wallet that pays the revenue in. */
interface Call {
  readonly what: string
  readonly to: Hex
  readonly data: Hex
}

/**
 * Runs `rif deposit`: prints the two calls that pay revenue into the bank, for any wallet to send. Holds no key and sends
 * nothing. The paper is read here only for its SHA-256. Throws a StartError for what the contract or the product would
 * refuse.
 */
export async function deposit(config: Config, args: readonly string[]): Promise<number> {
  const [asset, amount, label, paper, ...others] = args
  if (
    asset === undefined ||
    amount === undefined ||
    label === undefined ||
    paper === undefined ||
    others.length > 0
  )
    throw new StartError(usageOf('deposit'))
  if (asset !== 'USDT' && asset !== 'AMC') throw new StartError('the asset must be USDT or AMC')
  if (!isRevenueLabel(label)) throw new StartError(`the label must have 1 to ${REVENUE_LABEL_BYTES} bytes`)
  const micros = microsOf(amount)
  const documentHash = await sha256Of(paper)
  const subject = await openSubject(config)
  try {
    const calls = depositCalls(subject.chain, { asset, micros, label, documentHash })
    process.stdout.write(`${calls.map(textOf).join('\n')}\n`)
    return 0
  } finally {
    await subject.close()
  }
}

/** Returns the approval of exactly the amount, and the deposit. */
export function depositCalls(
  { contracts, decimals }: Pick<Chain, 'contracts' | 'decimals'>,
  wanted: { asset: PaymentAsset; micros: bigint; label: string; documentHash: Hex },
): readonly Call[] {
  const { asset, micros, label, documentHash } = wanted
  const token = asset === 'USDT' ? contracts.usdt : contracts.amc
  const units = toChainUnits(micros, decimals[asset])
  const { bank } = contracts
  const { approve, deposit } = revenueDepositCalls({ bank, token, units, label, documentHash })
  return [
    {
      what: `1. allow the bank exactly this amount: approve(${approve.args.join(', ')})`,
      to: approve.to,
      data: encodeFunctionData({ abi: erc20Abi, ...approve }),
    },
    {
      what: `2. pay it in: depositRevenue(${deposit.args.join(', ')})`,
      to: deposit.to,
      data: encodeFunctionData({ abi: rifBankAbi, ...deposit }),
    },
  ]
}

const textOf = ({ what, to, data }: Call) => `${what}\n   to   ${to}\n   data ${data}`

function microsOf(amount: string): bigint {
  const micros = isMicrosText(amount) ? parseMicros(amount) : 0n
  if (!isAmount(micros)) throw new StartError('the amount must be a decimal number above 0, with a point')
  return micros
}

async function sha256Of(path: string): Promise<Hex> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash).catch(() => {
    throw new StartError(`${path} cannot be read`)
  })
  return `0x${hash.digest('hex')}`
}
