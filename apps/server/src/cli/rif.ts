#!/usr/bin/env node
import { helpFor } from './usage.ts'

/** The commands of the process that holds keys. It loads nothing of the others. */
const WITH_KEYS = new Set(['sign', 'keystore'])

const [name = '', ...rest] = process.argv.slice(2)
const help = helpFor([name, ...rest])
if (help !== undefined) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
const { main } = WITH_KEYS.has(name) ? await import('./sign.ts') : await import('./commands.ts')
process.exit(await main([name, ...rest]))
