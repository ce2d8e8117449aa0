import type { SendStatus } from '@rif/api-schema'
import type { Tone } from '../../ui/pill.tsx'

export const SEND_TONES: Readonly<Record<SendStatus, Tone>> = {
  Sent: 'info',
  Confirming: 'info',
  Success: 'good',
  Failed: 'bad',
  Replaced: 'neutral',
  Lost: 'warn',
}

/** Whether a send can still change. */
export const isOpen = ({ status }: { status: SendStatus }) => status === 'Sent' || status === 'Confirming'

/** An amount of up to 18 decimals as a wire amount of six, cut. */
export function toWire(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.')
  return `${whole}.${fraction.slice(0, 6).padEnd(6, '0')}`
}
