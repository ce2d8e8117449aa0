import { connectChain } from '../chain/client.ts'
import { type RpcProxy, startRpcProxy } from '../chain/testing/rpc-proxy.ts'
import { createServices, type Services } from '../services.ts'
import type { TestProduct } from './test-product.ts'

/** The services of a second process of a test's product, which reaches the node through a proxy. */
export async function servicesThroughProxy(
  product: TestProduct,
): Promise<{ services: Services; proxy: RpcProxy }> {
  const { db, now, settings, chain, services } = product
  const proxy = await startRpcProxy(product.testChain.rpcUrl)
  const throughProxy = await connectChain({
    rpcUrls: [proxy.url],
    chainId: chain.chainId,
    contracts: chain.contracts,
  })
  return { services: createServices({ db, now, log: services.log, chain: throughProxy, settings }), proxy }
}
