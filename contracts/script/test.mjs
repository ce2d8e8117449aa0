/**
 * Runs the Solidity tests and holds gas and code sizes against snapshots/.
 * `--update` rewrites the snapshots instead. The last line is `contracts: <n> passed, <n> failed`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractsDir, runForge } from './forge.mjs'

const update = process.argv.includes('--update')
const gasTests = 'test/gas/*'
const measured = ['RifBank', 'RifTransfer', 'AmcToken', 'TestUsdt']
const counts = { passed: 0, failed: 0 }

function report(ok, what, details = []) {
  counts[ok ? 'passed' : 'failed']++
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}`)
  for (const line of details) console.log(`     ${line}`)
}

/**
 * Runs Forge's tests, prints one line a test, and counts.
 * @returns {object[]} every test's result, in Forge's own form
 */
function runTests(args) {
  const run = runForge(['test', '--json', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let suites
  try {
    suites = JSON.parse(run.stdout)
  } catch {
    report(false, 'forge test gave no report', [run.stdout, run.stderr])
    return []
  }
  const results = []
  for (const [suite, { test_results: tests }] of Object.entries(suites)) {
    for (const [name, result] of Object.entries(tests)) {
      const ok = result.status === 'Success'
      const details = ok ? [] : [result.reason ?? result.status, JSON.stringify(result.counterexample)]
      report(ok, `${suite} ${name}`, details)
      results.push(result)
    }
  }
  return results
}

/** Gas of each measured call, by contract. */
function measureGas() {
  const gas = {}
  for (const { gas_snapshots: groups } of runTests(['--match-path', gasTests, '--isolate'])) {
    for (const [contract, calls] of Object.entries(groups)) {
      gas[contract] ??= {}
      for (const [call, amount] of Object.entries(calls)) gas[contract][call] = Number(amount)
    }
  }
  return gas
}

/** Bytes of runtime and creation code; the limits of EIP-170 and EIP-3860 are 24,576 and 49,152. */
function measureSizes() {
  const sizeOf = (code) => (code.object.length - 2) / 2
  const sizes = measured.map((contract) => {
    const path = join(contractsDir, 'out', `${contract}.sol`, `${contract}.json`)
    const { bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'))
    return [contract, { runtime: sizeOf(deployedBytecode), creation: sizeOf(bytecode) }]
  })
  return Object.fromEntries(sizes)
}

/** Compares with the snapshot in the repository, or writes it. */
function checkSnapshot(name, measurement) {
  const path = join(contractsDir, 'snapshots', name)
  const actual = `${JSON.stringify(measurement, null, 2)}\n`
  if (update) {
    mkdirSync(join(contractsDir, 'snapshots'), { recursive: true })
    writeFileSync(path, actual)
  }
  const ok = readFileSync(path, 'utf8') === actual
  const hint = ['is now', ...actual.split('\n'), 'accept it with: npm test -w contracts -- --update']
  report(ok, `snapshots/${name}`, ok ? [] : hint)
}

runTests(['--no-match-path', gasTests])
checkSnapshot('gas.json', measureGas())
checkSnapshot('sizes.json', measureSizes())
console.log(`contracts: ${counts.passed} passed, ${counts.failed} failed`)
if (counts.failed > 0) process.exitCode = 1
