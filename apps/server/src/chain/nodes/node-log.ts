import type { Alarms } from '../../alarms/alarms.ts'
import type { Logger } from '../../lib/logger.ts'
import type { NodeState } from './node.ts'
import type { Nodes } from './nodes.ts'

/**
 * Returns a function that logs each node that was set aside or returned since its last call. Alarms: a node that contradicts the others or answers for another chain, and a lost
 * quorum.
 */
export function createNodeLog(nodes: Nodes, log: Logger, alarms: Pick<Alarms, 'sees'>): () => Promise<void> {
  const lastStates = new Map<string, NodeState>()
  return async () => {
    for (const { id, host, state, reason } of nodes.report()) {
      const isWrong = state === 'wrong-chain' || state === 'disagrees'
      await alarms.sees('node_set_aside', isWrong ? { state, reason } : null, { subject: host })
      if ((lastStates.get(id) ?? 'healthy') === state) continue
      lastStates.set(id, state)
      if (state === 'healthy') log.info({ node: host }, 'a chain node is used again')
      else log.warn({ node: host, state, reason }, 'a chain node is set aside')
    }
    await alarms.sees('quorum_lost', nodes.hasQuorum() ? null : { quorum: nodes.quorum })
  }
}
