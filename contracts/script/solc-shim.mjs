#!/usr/bin/env node
/**
 * Lets Forge use the WebAssembly build of solc that npm installed, instead of downloading a native compiler.
 * Supports `--version` and `--standard-json`, the only options that Forge uses.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

if (process.argv.includes('--version')) {
  // Loading the compiler to read its version would add a second to every command.
  const { version } = require('solc/package.json')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (process.argv.includes('--standard-json')) {
  const solc = require('solc')
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
} else {
  process.stderr.write('solc-shim: only --version and --standard-json are supported\n')
  process.exitCode = 1
}
