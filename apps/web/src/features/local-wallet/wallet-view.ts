import type { SendStatus } from '@rif/api-schema'
import { formatMicros, fromChainUnits, max, parseMicros } from '@rif/rules'
import type { Tone } from '../../ui/index.ts'

export const SEND_TONES: Readonly<Record<SendStatus, Tone>> = {
  Sent: 'info',
  Confirming: 'info',
  Success: 'good',
  Failed: 'bad',
  Replaced: 'neutral',
  Lost: 'warn',
}

/** Reports whether a send can still change. */
export const isSendOpen = ({ status }: { status: SendStatus }) => status === 'Sent' || status === 'Confirming'

/** Converts an amount of up to 18 decimals to a wire amount of six, truncated. */
export function toWire(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `${whole}.${fraction.slice(0, 6).padEnd(6, '0')}`
}

/**
 * The multiple of the current fee that is reserved when all ether is sent, because fees rise from block to
 * block.
 */
const FEE_RESERVE = 2n

/**
 * Returns the largest amount of ether (a wire amount) that can be sent out of a balance when the send costs
 * `feeWei` now; never below zero.
 */
export function maxEther(balance: string, feeWei: bigint): string {
  const { micros, dust } = fromChainUnits(feeWei * FEE_RESERVE, 18)
  const reserve = micros + (dust > 0n ? 1n : 0n)
  return formatMicros(max(0n, parseMicros(balance) - reserve))
}
