import type { Logger } from '../../lib/logger.ts'
import type { NodeState } from './node.ts'
import type { Nodes } from './nodes.ts'

/**
 * Returns a function that logs the changes since its last call: each node that was set aside or returned, and
 * the loss of the quorum. Alarms: a node that contradicts the others or answers for another chain, and a lost
 * quorum.
 */
export function createNodeLog(nodes: Nodes, log: Logger): () => void {
  const known = new Map<string, NodeState>()
  let hadQuorum = true
  return () => {
    for (const { id, host, state, reason } of nodes.report()) {
      if ((known.get(id) ?? 'healthy') === state) continue
      known.set(id, state)
      if (state === 'healthy') log.info({ node: host }, 'a chain node is used again')
      else if (state === 'unreachable' || state === 'lagging')
        log.warn({ node: host, state, reason }, 'a chain node is set aside')
      else log.error({ alarm: true, node: host, state, reason }, 'a chain node is set aside')
    }
    const hasQuorum = nodes.hasQuorum()
    if (hadQuorum && !hasQuorum)
      log.error({ alarm: true, quorum: nodes.quorum }, 'too few chain nodes agree: nothing becomes final')
    hadQuorum = hasQuorum
  }
}
