#!/usr/bin/env node
/**
 * Lets Forge use the solc that npm installed: answers `--version` and `--standard-json`, the two calls
 * that Forge makes, with the WebAssembly build. Forge would otherwise download a native compiler.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

if (process.argv.includes('--version')) {
  // Read from the package: loading the compiler only to ask for its name would cost every command a second.
  const { version } = require('solc/package.json')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (process.argv.includes('--standard-json')) {
  const solc = require('solc')
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
} else {
  process.stderr.write('solc-shim: only --version and --standard-json are supported\n')
  process.exitCode = 1
}
