#!/usr/bin/env node
import cluster from 'node:cluster'

/** The commands of the process that holds keys. It loads nothing of the others. */
const WITH_KEYS = new Set(['sign', 'keystore'])

const [name = '', ...rest] = process.argv.slice(2)
if (cluster.isWorker) {
  const { runApiProcess } = await import('./serving/api-process.ts')
  process.exit(await runApiProcess())
}
const { main } = WITH_KEYS.has(name) ? await import('./sign.ts') : await import('./commands.ts')
process.exit(await main([name, ...rest]))
