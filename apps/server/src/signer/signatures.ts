import { createPublicClient, http, type PublicClient } from 'viem'
import { isStatementSignedBy, isStatementSignedByKey, type SignedStatement } from '../chain/signature.ts'

/** Reports whether a wallet signed a statement. Throws when the chain is needed and does not respond. */
export type SignatureCheck = (signed: SignedStatement) => Promise<boolean>

const TIMEOUT_MS = 2_000

/**
 * Creates the check of signatures. Signatures of keys need no chain. One of a contract wallet (EIP-1271, EIP-6492) counts when
 * more than half of the given nodes of the chain accept it, and never without a node.
 */
export function createSignatureCheck(rpcUrls: readonly string[], chainId: number): SignatureCheck {
  const clients = rpcUrls.map((url) =>
    createPublicClient({ cacheTime: 0, transport: http(url, { timeout: TIMEOUT_MS, retryCount: 0 }) }),
  )
  const quorum = Math.floor(clients.length / 2) + 1

  async function isAccepted(client: PublicClient, signed: SignedStatement): Promise<boolean> {
    if ((await client.getChainId()) !== chainId)
      throw new Error('a node is of another chain (SIGNER_RPC_URL)')
    return isStatementSignedBy(client, signed)
  }

  return async (signed) => {
    if (isStatementSignedByKey(signed)) return true
    if (clients.length === 0) return false
    const answers = await Promise.allSettled(clients.map((client) => isAccepted(client, signed)))
    const count = (accepted: boolean) =>
      answers.filter((answer) => answer.status === 'fulfilled' && answer.value === accepted).length
    if (count(true) >= quorum) return true
    if (count(false) > clients.length - quorum) return false
    throw answers.find((answer) => answer.status === 'rejected')?.reason ?? new Error('the nodes disagree')
  }
}
