#!/usr/bin/env node
/**
 * Lets Forge use the WebAssembly build of solc that npm installed, instead of downloading a native compiler.
 * Supports `--version` and `--standard-json`, the only options that Forge uses. In the directory `SOLC_ANSWERS`, if it is set, answers
 * are kept by their input: Forge asks the compiler before every test, also when nothing has changed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

function answerTo(input) {
  const { SOLC_ANSWERS } = process.env
  if (SOLC_ANSWERS === undefined) return require('solc').compile(input)
  const path = join(SOLC_ANSWERS, createHash('sha256').update(input).digest('hex'))
  if (!existsSync(path)) writeFileSync(path, require('solc').compile(input))
  return readFileSync(path, 'utf8')
}

if (process.argv.includes('--version')) {
  // Loading the compiler to read its version would add a second to every command.
  const { version } = require('solc/package.json')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(answerTo(readFileSync(0, 'utf8')))
} else {
  process.stderr.write('solc-shim: only --version and --standard-json are supported\n')
  process.exitCode = 1
}
