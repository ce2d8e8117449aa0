import type { AppConfig, SolvencyProof } from '@rif/api-schema'
import { checkProof, dayNumberOf, type Published, readProofFile, readPublished } from '@rif/solvency'
import { call } from '../../../lib/index.ts'
import { createDemoProvider } from '../../../wallet/demo-wallet.ts'
import { discoverWallets, walletsStore } from '../../../wallet/discovery.ts'
import { isOnChain, sameAddress, type WalletProvider } from '../../../wallet/provider.ts'
import { hashInto, levelsIn, type ProofCheck, requestOf } from '../proof/check.ts'

/** The result of checking the proof behind a link. */
export interface SharedCheck extends Pick<ProofCheck, 'proof' | 'levels' | 'results' | 'published'> {
  /** The source of the root: the chain, through a wallet of this browser, or the server's own list. */
  readonly readFrom: 'chain' | 'server'
}

/**
 * Checks a proof on this device. Without a wallet on the chain, the root is the one published by the server.
 */
export async function checkShared(config: AppConfig, file: SolvencyProof): Promise<SharedCheck> {
  const proof = readProofFile(file)
  const dayNumber = dayNumberOf(file.day)
  const bank = config.banks.find(({ address }) => sameAddress(address, file.bank))?.address ?? ''
  const provider = bank === '' ? null : await readingProvider(config)
  const onChain = provider && (await readPublished(requestOf(provider), bank, dayNumber).catch(() => null))
  const published = onChain ?? (await publishedByServer(config, file.day))
  const expected = {
    chainId: published.chainId,
    bank,
    address: null,
    dayNumber,
    publishedRoot: published.root,
    publishedTotals: published.totals,
  }
  return {
    proof,
    published,
    levels: levelsIn(proof),
    results: checkProof(proof, expected, hashInto),
    readFrom: onChain ? 'chain' : 'server',
  }
}

/**
 * Returns a wallet of this browser that is on the chain, without requesting an account; null if there is
 * none.
 */
async function readingProvider(config: AppConfig): Promise<WalletProvider | null> {
  await discoverWallets()
  for (const { provider } of walletsStore.getState())
    if (await isOnChain(provider, config.chain).catch(() => false)) return provider
  return createDemoProvider(config)
}

async function publishedByServer({ chain }: AppConfig, day: string): Promise<Published> {
  const { days } = await call('solvency', {}, { quiet: true })
  const root = days.find((item) => item.day === day)?.root
  if (root === undefined) throw new Error(`the server lists no report of ${day}`)
  return { chainId: chain.id, root, totals: null }
}
