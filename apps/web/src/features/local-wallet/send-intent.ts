import { kept } from '../../lib/index.ts'
import type { WalletSendDraft } from './send-plan.ts'

/** A send that the wallet was asked for, kept until the server knows of it: a reload loses nothing. */
export interface SendIntent {
  draft: WalletSendDraft
  from: string
  nonce: number
  /** Null while the wallet is open: it may have sent without this page hearing of it. */
  hash: string | null
}

const KEY = 'wallet_send'

export function readIntent(): SendIntent | null {
  try {
    const value = JSON.parse(kept.get(KEY) ?? 'null')
    return typeof value?.nonce === 'number' && typeof value.from === 'string' ? value : null
  } catch {
    return null
  }
}

export function writeIntent(intent: SendIntent | null) {
  kept.set(KEY, intent === null ? null : JSON.stringify(intent))
}
