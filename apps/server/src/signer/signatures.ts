import { createNodes } from '../chain/nodes/nodes.ts'
import { createSignatures, type SignedStatement } from '../chain/signature.ts'

/** Reports whether a wallet signed one of several statements. Throws when the chain is needed and no quorum answers. */
export type SignatureCheck = (statements: readonly SignedStatement[]) => Promise<boolean>

const TIMEOUT_MS = 2_000

/** Creates the signer's check of signatures, with nodes of its own: a key's needs none, any other a quorum of them. */
export function createSignatureCheck(rpcUrls: readonly string[], chainId: number): SignatureCheck {
  const nodes = createNodes({ rpcUrls, chainId, timeoutMs: TIMEOUT_MS })
  return createSignatures(nodes).isOneStatementSigned
}
