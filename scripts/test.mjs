// `npm test`: every check and test of the project, part by part. Installs what is missing, a browser, fonts and a token in software included.
//   --quick          only the parts that take seconds
//   --part <name>    only this part (repeatable); `journeys` and `firefox` run only then
//   <file> ...       only these test files of Vitest, given by a part of their path
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installChromium } from './lib/chromium.mjs'
import { installFirefox } from './lib/firefox.mjs'
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'
import { installSoftHsm } from './lib/softhsm.mjs'
import { nodeProgram, Refusal, ROOT, run } from './lib/steps.mjs'

const TSC = nodeProgram('typescript/bin/tsc')
const BIOME = nodeProgram('@biomejs/biome/bin/biome')
const KNIP = nodeProgram('knip/bin/knip.js')
const VITEST = nodeProgram('vitest/vitest.mjs')
const PLAYWRIGHT = nodeProgram('@playwright/test/cli.js')

/** Each passes the output of its programs to `show`, and returns how many of its checks passed and failed. */
const PARTS = {
  // One checker takes 1.1 GB. The default of four takes up to 5 GB and is no faster on two cores.
  types: (show) => check(TSC, ['-b', '--checkers', '1', '--builders', '1'], show),
  lint: (show) => check(BIOME, ['check', '.', '--error-on-warnings'], show),
  dead: (show) => check(KNIP, [], show),
  rules: (show) => vitest(['--project', 'pure-*'], show),
  contracts,
  units: (show) => vitest(['--project', '!pure-*'], show),
  e2e: endToEnd,
  journeys,
  firefox: (show) => e2e(show, ['firefox']),
  chaos,
}
const QUICK = ['types', 'lint', 'rules']
/** Parts that run only when they are named. */
const NAMED_ONLY = ['journeys', 'firefox']
const USUAL = Object.keys(PARTS).filter((name) => !NAMED_ONLY.includes(name))
/**
 * The parts of a row run at the same time, as each leaves some of the machine idle. The faults of `chaos` mostly wait, so they
 * run beside the units; both use what `types` has built.
 */
const ROWS = [
  ['types', 'lint', 'rules', 'contracts'],
  ['units', 'chaos', 'dead'],
  ['e2e'],
  ['journeys'],
  ['firefox'],
]

/** A file system in memory, used for temporary files if it has this many bytes free. */
const MEMORY = '/dev/shm'
const MEMORY_NEEDED = 2 * 1024 ** 3

await main(async () => {
  const { parts, files } = parseCommand()
  keepTemporaryFilesInMemory()
  if (files.length > 0) {
    process.exitCode = await testFiles(files)
    return
  }
  // Beside the first row, which needs no program of the system. The check for dead code reads the browser's configuration.
  const installed = installPrograms(parts)
  installed.catch(() => undefined)
  const results = []
  for (const row of ROWS) {
    results.push(...(await runAtOnce(row.filter((name) => parts.includes(name)))))
    await installed
  }
  const lines = results.map(
    ({ name, passed, failed, seconds }) =>
      `${name.padEnd(10)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
  )
  const sum = (what) => results.reduce((total, { [what]: count }) => total + count, 0)
  process.stdout.write(`\n${lines.join('\n')}\n\n${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
})

/** Installs the programs of the system that the parts need. Throws a Refusal if one cannot be installed. */
async function installPrograms(parts) {
  if (parts.includes('units')) await installSoftHsm()
  if (parts.includes('e2e') || parts.includes('journeys')) await installChromium()
  if (parts.includes('firefox')) await installFirefox()
}

/**
 * Sets TMPDIR to memory where there is room. Each test file makes a database of a thousand small files and drops it, which
 * takes a disk several times as long.
 */
function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , , options = 'noexec'] =
    mounts.findLast((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? []
  const { bavail, bsize } = statfsSync(MEMORY)
  // Programs are copied there if the user of PostgreSQL cannot reach the project's own.
  if (!options.split(',').includes('noexec') && bavail * bsize >= MEMORY_NEEDED) process.env.TMPDIR = MEMORY
}

/** Runs parts at the same time. Shows the output of the first as it is written, that of the others after it, in order. */
function runAtOnce(names) {
  const held = names.map((name) => `\n== ${name}\n`)
  const ended = new Set()
  let shown = 0
  process.stdout.write(held[shown] ?? '')
  return Promise.all(
    names.map(async (name, index) => {
      const begun = performance.now()
      const counts = await PARTS[name]((text) => {
        if (index === shown) process.stdout.write(text)
        else held[index] += text
      })
      ended.add(index)
      while (ended.has(shown)) process.stdout.write(held[++shown] ?? '')
      return { name, ...counts, seconds: (performance.now() - begun) / 1000 }
    }),
  )
}

/** Returns the parts and the test files that the command line names. Throws a Refusal for anything else. */
function parseCommand() {
  try {
    const options = { quick: { type: 'boolean' }, part: { type: 'string', multiple: true } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const parts = values.part ?? (values.quick ? QUICK : USUAL)
    if (parts.every((name) => name in PARTS)) return { parts, files: positionals }
  } catch {}
  const parts = Object.keys(PARTS).join('|')
  throw new Refusal(`usage: npm test [-- --quick | --part <${parts}> ... | <file> ...]`)
}

/** Runs the given test files with Vitest's own output, and returns its exit code. */
async function testFiles(files) {
  const { code } = await run(process.execPath, [VITEST, 'run', ...files], {
    show: (text) => process.stdout.write(text),
  })
  return code
}

/** Runs a program that counts as one check, which passes when the program ends with 0. */
async function check(program, args, show) {
  const { code } = await run(process.execPath, [program, ...args], { show })
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function vitest(args, show) {
  const result = await withReport((report) =>
    run(
      process.execPath,
      [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      { show },
    ),
  )
  const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0, success = false } = result.report
  const failed = numFailedTests || numFailedTestSuites
  return { passed: numPassedTests, failed: failed || (result.code === 0 && success ? 0 : 1) }
}

async function contracts(show) {
  const npm = (script) => run('npm', ['run', '--silent', script, '-w', 'contracts'], { show })
  const { code: stale } = await npm('check')
  const { code, output } = await npm('test')
  const [, passed = 0, failed = 0] = /contracts: (\d+) passed, (\d+) failed/.exec(output) ?? []
  return {
    passed: Number(passed) + (stale === 0 ? 1 : 0),
    failed: (Number(failed) || (code === 0 ? 0 : 1)) + (stale === 0 ? 0 : 1),
  }
}

/** Runs the end-to-end tests, those that must not share a product with others at the same time on one of their own. */
async function endToEnd(show) {
  let held = ''
  const [shared, alone] = await Promise.all([
    e2e(show, ['main', 'dejavu']),
    e2e((text) => (held += text), ['alone'], ['--no-deps', '--workers=1'], { E2E_PORT: '18091' }),
  ])
  show(held)
  return { passed: shared.passed + alone.passed, failed: shared.failed + alone.failed }
}

/** Runs the end-to-end tests that nothing else can run beside: a row of projects that depend on each other, and one by itself. */
async function journeys(show) {
  const [row, last] = [await e2e(show, ['exits']), await e2e(show, ['hand-over'])]
  return { passed: row.passed + last.passed, failed: row.failed + last.failed }
}

/** Runs projects of the end-to-end tests, with those that they depend on. */
async function e2e(show, projects, options = [], variables = {}) {
  await prepare()
  const { code, report } = await withReport((path) => {
    const env = { ...process.env, ...variables, PLAYWRIGHT_JSON_OUTPUT_NAME: path, CI: 'true' }
    const chosen = projects.map((name) => `--project=${name}`)
    return run(process.execPath, [PLAYWRIGHT, 'test', '--reporter=list,json', ...chosen, ...options], {
      cwd: join(ROOT, 'e2e'),
      env,
      show,
    })
  })
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report.stats ?? {}
  const failed = unexpected + skipped
  for (const title of flakyTitles(report.suites ?? [])) show(`flaky: ${title}\n`)
  return { passed: expected + flaky, failed: failed || (code === 0 ? 0 : 1) }
}

/** Returns the titles of the tests in Playwright's report that failed at first and passed when they were repeated. */
function flakyTitles(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, title }) => `${file}: ${title}`),
    ...flakyTitles(inner),
  ])
}

/** Runs the short form of the rehearsal: a check per fault. */
async function chaos(show) {
  const { code, output } = await run(process.execPath, [join(ROOT, 'scripts', 'chaos.mjs'), '--short'], {
    show,
  })
  const [, passed = 0, failed = 0] = /chaos: (\d+) passed, (\d+) failed/.exec(output) ?? []
  return { passed: Number(passed), failed: Number(failed) || (code === 0 ? 0 : 1) }
}

/** Runs a test program that writes a JSON report to the given path, and returns its exit code and the report. */
async function withReport(work) {
  const dir = mkdtempSync(join(tmpdir(), 'rif-report-'))
  const path = join(dir, 'report.json')
  try {
    const { code } = await work(path)
    const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    return { code, report }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
