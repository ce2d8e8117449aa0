import type { Chain } from '../chain/client.ts'
import { indexerStatus } from '../chain/indexer/position.ts'
import { storedNodes } from '../chain/nodes/node-states.ts'
import { machineStates } from '../db/citus/machines.ts'
import type { Db } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'
import type { Signer } from '../signer/client.ts'
import type { Reading } from './metrics.ts'

/** Returns the metrics that are read from the database on request. */
export function readingsOf({
  db,
  now,
  chain,
  signer,
}: {
  db: Db
  now: Now
  chain: Chain
  signer: Pick<Signer, 'status'>
}): Reading[] {
  const status = () => indexerStatus(db, chain.chainId)
  return [
    {
      name: 'rif_indexer_lag_blocks',
      help: "How many of the node's blocks the indexer has not read yet",
      labels: [],
      read: async () => {
        const current = await status()
        return current === null ? [] : [{ labels: {}, value: Number(current.lagBlocks) }]
      },
    },
    {
      name: 'rif_indexer_poll_age_seconds',
      help: 'The time since the indexer last read the newest block; it grows when no indexer runs',
      labels: [],
      read: async () => {
        const current = await status()
        return current === null
          ? []
          : [{ labels: {}, value: (now().getTime() - current.polledAt.getTime()) / 1_000 }]
      },
    },
    {
      name: 'rif_signer_ready',
      help: '1 when the signing process answers and can sign',
      labels: [],
      read: async () => {
        const trouble = await signer.status().then(
          (status) => status.trouble,
          () => 'away',
        )
        return [{ labels: {}, value: trouble === null ? 1 : 0 }]
      },
    },
    {
      name: 'rif_signer_decisions_total',
      help: 'Decisions of the signing process since its start; a signature has no reason',
      labels: ['decision', 'reason'],
      read: async () =>
        (await signer.status()).decisions.map(({ decision, reason, count }) => ({
          labels: { decision, reason: reason ?? '' },
          value: count,
        })),
    },
    {
      name: 'rif_machine_ready',
      help: '1 for a machine of the cluster that answers, 0 for one that does not',
      labels: ['machine'],
      read: async () =>
        (await machineStates(db)).map(({ address, isAnswering }) => ({
          labels: { machine: address },
          value: isAnswering ? 1 : 0,
        })),
    },
    {
      name: 'rif_chain_node_healthy',
      help: '1 for a node of the chain that is used, 0 for one that is set aside',
      labels: ['place', 'host', 'state'],
      read: async () =>
        (await storedNodes(db, chain.chainId)).map(({ place, host, state }) => ({
          labels: { place: `${place}`, host, state },
          value: state === 'healthy' ? 1 : 0,
        })),
    },
    {
      name: 'rif_chain_node_head_block',
      help: 'The newest block that a node of the chain gave',
      labels: ['place', 'host'],
      read: async () =>
        (await storedNodes(db, chain.chainId)).flatMap(({ place, host, headNumber }) =>
          headNumber === null ? [] : [{ labels: { place: `${place}`, host }, value: Number(headNumber) }],
        ),
    },
    {
      name: 'rif_chain_quorum',
      help: '1 while enough nodes of the chain agree',
      labels: [],
      read: async () => {
        const nodes = await storedNodes(db, chain.chainId)
        if (nodes.length === 0) return []
        const healthy = nodes.filter(({ state }) => state === 'healthy').length
        return [{ labels: {}, value: healthy >= chain.nodes.quorum ? 1 : 0 }]
      },
    },
    {
      name: 'rif_indexer_halted',
      help: '1 when the indexer waits for an operator',
      labels: [],
      read: async () => {
        const current = await status()
        return current === null ? [] : [{ labels: {}, value: current.halted ? 1 : 0 }]
      },
    },
  ]
}
