/**
 * Runs the Solidity tests and compares gas and code sizes with the files in snapshots/; `--update` rewrites these files.
 *
 * Fuzz and invariant tests run with a new random seed, which is printed first. `PROPERTY_SEED=<number>` repeats the cases of an
 * earlier run, `RIF_TESTS=full` runs more sequences of calls (500 instead of 32) and fuzz cases (eight times as many).
 * The last line is `contracts: <n> passed, <n> failed`.
 */
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractsDir, runForge } from './forge.mjs'

const update = process.argv.includes('--update')
const seed = Number(process.env.PROPERTY_SEED ?? randomInt(2 ** 31))
const invariantRuns = process.env.RIF_TESTS === 'full' ? 500 : 32
const gasTests = 'test/gas/*'
const measured = ['RifBank', 'RifTransfer', 'AmcToken', 'TestUsdt']
const counts = { passed: 0, failed: 0 }

function report(ok, what, details = []) {
  counts[ok ? 'passed' : 'failed']++
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}`)
  for (const line of details) console.log(`     ${line}`)
}

/**
 * Runs Forge's tests, prints one line per test, and counts the results.
 * @returns {object[]} the result of every test, as reported by Forge
 */
function runTests(args) {
  const run = runForge(['test', '--json', '--fuzz-seed', `0x${seed.toString(16)}`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { FOUNDRY_INVARIANT_RUNS: String(invariantRuns), FOUNDRY_FUZZ_RUNS: String(8 * invariantRuns) },
  })
  let suites
  try {
    suites = JSON.parse(run.stdout)
  } catch {
    report(false, 'forge test printed no report', [run.stdout, run.stderr])
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

/** Returns the gas of each measured call, by contract. */
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

/** The limits of EIP-170 and EIP-3860 in bytes: a larger contract cannot be created. */
const MAX_SIZE = { runtime: 24_576, creation: 49_152 }

/** Returns the sizes of runtime and creation code in bytes. */
function measureSizes() {
  const sizeOf = (code) => (code.object.length - 2) / 2
  const sizes = measured.map((contract) => {
    const path = join(contractsDir, 'out', `${contract}.sol`, `${contract}.json`)
    const { bytecode, deployedBytecode } = JSON.parse(readFileSync(path, 'utf8'))
    return [contract, { runtime: sizeOf(deployedBytecode), creation: sizeOf(bytecode) }]
  })
  return Object.fromEntries(sizes)
}

/** Compares a measurement with its snapshot; with `--update`, writes the snapshot first. */
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

// Forge repeats failures of earlier runs from its cache. The seed alone must determine the cases.
for (const cache of ['fuzz', 'invariant']) {
  rmSync(join(contractsDir, 'cache', cache), { recursive: true, force: true })
}
console.log(`contracts: the random cases have seed ${seed}; repeat them with PROPERTY_SEED=${seed}`)
runTests(['--no-match-path', gasTests])
checkSnapshot('gas.json', measureGas())
const sizes = measureSizes()
checkSnapshot('sizes.json', sizes)
for (const [contract, { runtime, creation }] of Object.entries(sizes))
  report(runtime <= MAX_SIZE.runtime && creation <= MAX_SIZE.creation, `${contract} can be created`)
console.log(`contracts: ${counts.passed} passed, ${counts.failed} failed`)
if (counts.failed > 0) process.exitCode = 1
