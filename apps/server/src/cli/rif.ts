#!/usr/bin/env node

/** The commands of the process that holds keys. It loads nothing of the others. */
const WITH_KEYS = new Set(['sign', 'keystore'])

const [name = '', ...rest] = process.argv.slice(2)
const { main } = WITH_KEYS.has(name) ? await import('./sign.ts') : await import('./commands.ts')
process.exit(await main([name, ...rest]))
