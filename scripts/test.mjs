// `npm test`: the checks and tests of the project, part by part. Installs what is missing, a browser, fonts and a token in software included.
//   --quick          only the parts that take seconds
//   --full           all tests, also those that take longest (`npm run test:full`)
//   --part <name>    only this part (repeatable)
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

/** The tag of the tests that run only in `npm run test:full`, in Vitest and in Playwright. */
const FULL = 'full'

/**
 * Each passes the output of its programs to `show`, and returns the numbers of its passed and failed checks.
 */
const PARTS = {
  // One checker takes 1.1 GB. The default of four takes up to 5 GB and is no faster on two cores.
  types: (show) => check(TSC, ['-b', '--checkers', '1', '--builders', '1'], show),
  lint: (show) => check(BIOME, ['check', '.', '--error-on-warnings'], show),
  dead: (show) => check(KNIP, [], show),
  rules: (show) => vitest(['--project', 'pure-*'], show),
  contracts,
  units: (show, level) =>
    vitest(['--project', '!pure-*', ...(level === FULL ? [] : [`--tags-filter=!${FULL}`])], show),
  e2e: (show, level) =>
    level === FULL
      ? sumOf([
          () => e2e(show, level, ['main', 'dejavu']),
          // These must not share a product with others.
          () => e2e(show, level, ['alone'], ['--no-deps', '--workers=1']),
        ])
      : e2e(show, level, ['main', 'alone']),
  chaos,
  // A chain of projects that depend on each other, and one that closes the bank.
  journeys: (show) => sumOf([() => e2e(show, FULL, ['exits']), () => e2e(show, FULL, ['hand-over'])]),
  firefox: (show) => e2e(show, FULL, ['firefox']),
}
const QUICK = ['types', 'lint', 'rules']
/** The parts that run only in `npm run test:full`, or when they are named. */
const FULL_ONLY = ['chaos', 'journeys', 'firefox']
/** The parts that run the built product. */
const OF_PRODUCT = ['chaos', 'e2e', 'journeys', 'firefox']
/**
 * The parts that run at the same time, stage by stage, so that two cores are never overloaded. `build` (of the app) and `install` are
 * not parts: they prepare for parts.
 */
const STAGES = [
  ['types', 'install'],
  ['build', 'lint'],
  ['contracts', 'dead'],
  ...['rules', 'units', 'e2e', 'chaos', 'journeys', 'firefox'].map((name) => [name]),
]

/** A file system in memory, which is used for temporary files if this many bytes are free. */
const MEMORY = '/dev/shm'
const MEMORY_NEEDED = 4 * 1024 ** 3

const NEEDS = { toDevelop: true, beside: installBeside }
/** The part whose output is shown as it is written. */
let shown

await main(async () => {
  const { parts, level, files } = parseCommand()
  // Tests read it to choose their number of cases.
  if (level === FULL) process.env.RIF_TESTS = FULL
  keepTemporaryFilesInMemory()
  if (files.length > 0) {
    process.exitCode = await testFiles(files)
    return
  }
  const results = await runParts(parts, level)
  const lines = results.map(
    ({ name, passed, failed, seconds }) =>
      `${name.padEnd(10)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
  )
  const sum = (what) => results.reduce((total, { [what]: count }) => total + count, 0)
  // Repeated here, because the output above is long.
  for (const { name, failures = [] } of results)
    for (const failure of failures) process.stdout.write(`\nFailed in ${name}: ${failure}\n`)
  process.stdout.write(`\n${lines.join('\n')}\n\n${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
}, NEEDS)

/** Installs the other requirements of the parts while npm runs; npm uses one core at most. */
async function installBeside() {
  const { parts, files } = parseCommand()
  if (files.length === 0) await installPrograms(parts)
}

/** Installs the system programs that the parts need. Throws a Refusal if one cannot be installed. */
async function installPrograms(parts) {
  if (parts.includes('units')) await installSoftHsm()
  if (parts.includes('e2e') || parts.includes('journeys')) await installChromium()
  if (parts.includes('firefox')) await installFirefox()
}

/**
 * Sets TMPDIR to a file system in memory if there is room. Each test file creates and drops a database of a
 * thousand small files, which takes several times as long on a disk.
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

/** Runs the parts, stage by stage, and returns their results in the order of `PARTS`. Throws a Refusal if the build or an installation fails. */
async function runParts(parts, level) {
  const results = new Map()
  const begin = async (name) => {
    if (name === 'install') return installPrograms(parts)
    if (name === 'build') return parts.some((part) => OF_PRODUCT.includes(part)) ? prepare() : undefined
    if (!parts.includes(name)) return
    const begun = performance.now()
    const output = shownInTurn(name)
    const counts = await PARTS[name](output.show, level)
    output.end()
    results.set(name, { name, ...counts, seconds: (performance.now() - begun) / 1000 })
  }
  for (const names of STAGES) await Promise.all(names.map(begin))
  return parts.map((name) => results.get(name))
}

/** Shows the output of a part as it is written, or at its end if another part is being shown. */
function shownInTurn(name) {
  const isLive = shown === undefined
  if (isLive) shown = name
  let bufferedOutput = ''
  const show = (text) => {
    if (isLive) process.stdout.write(text)
    else bufferedOutput += text
  }
  show(`\n== ${name}\n`)
  return {
    show,
    end() {
      process.stdout.write(bufferedOutput)
      if (isLive) shown = undefined
    },
  }
}

/** Returns the parts and the test files that the command line names. Throws a Refusal for anything else. */
function parseCommand() {
  try {
    const flag = { type: 'boolean' }
    const options = { quick: flag, full: flag, part: { type: 'string', multiple: true } }
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const all = Object.keys(PARTS)
    const usual = values.full ? all : all.filter((name) => !FULL_ONLY.includes(name))
    const parts = values.part ?? (values.quick ? QUICK : usual)
    const level = values.full ? FULL : undefined
    if (parts.every((name) => name in PARTS)) return { parts, level, files: positionals }
  } catch {}
  const parts = Object.keys(PARTS).join('|')
  throw new Refusal(`usage: npm test [-- --quick | --full | --part <${parts}> ... | <file> ...]`)
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
  const { code, report } = await withReport((path) =>
    run(
      process.execPath,
      [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${path}`, ...args],
      { show },
    ),
  )
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numFailedTestSuites = 0,
    success = false,
    testResults = [],
  } = report
  return {
    passed: numPassedTests,
    failed: numFailedTests || numFailedTestSuites || (code === 0 && success ? 0 : 1),
    failures: failuresOf(testResults),
  }
}

/** Returns the file, the title and the start of the message of each failed test in Vitest's report, and of each file that failed to load. */
function failuresOf(testResults) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0) return status === 'failed' ? [`${name}\n${start(message)}`] : []
    return tests.map(
      ({ fullName, failureMessages }) => `${name} > ${fullName}\n${start(failureMessages.join('\n'))}`,
    )
  })
}

/** Returns the first lines of a message. */
function start(message) {
  return message.split('\n').slice(0, 12).join('\n')
}

async function contracts(show) {
  const npm = (script) => run('npm', ['run', '--silent', script, '-w', 'contracts'], { show })
  const { code, output } = await npm('test')
  // Afterwards, because it then finds the contracts compiled.
  const { code: stale } = await npm('check')
  const [, passed = 0, failed = 0] = /contracts: (\d+) passed, (\d+) failed/.exec(output) ?? []
  return {
    passed: Number(passed) + (stale === 0 ? 1 : 0),
    failed: (Number(failed) || (code === 0 ? 0 : 1)) + (stale === 0 ? 0 : 1),
  }
}

/** Runs tests one after the other, and returns their numbers together. */
async function sumOf(tests) {
  const sum = { passed: 0, failed: 0, failures: [] }
  for (const test of tests) {
    const { passed, failed, failures } = await test()
    sum.passed += passed
    sum.failed += failed
    sum.failures.push(...failures)
  }
  return sum
}

/** Runs projects of the end-to-end tests, with their dependencies. */
async function e2e(show, level, projects, options = []) {
  const { code, report } = await withReport((path) => {
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: path, CI: 'true' }
    if (level !== FULL) env.E2E_LEVEL = 'usual'
    const args = ['test', '--reporter=list,json', ...projects.map((name) => `--project=${name}`), ...options]
    return run(process.execPath, [PLAYWRIGHT, ...args], { cwd: join(ROOT, 'e2e'), env, show })
  })
  const { expected = 0, unexpected = 0, skipped = 0 } = report.stats ?? {}
  return {
    passed: expected,
    failed: unexpected + skipped || (code === 0 ? 0 : 1),
    failures: failedTestsOf(report.suites ?? []),
  }
}

/** Returns the file, the title and the start of the message of each failed test in Playwright's report. */
function failedTestsOf(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ results }) => {
          const { error } = results.find((result) => result.error) ?? {}
          return `${file}: ${title}\n${start(error?.message ?? '')}`
        }),
    ),
    ...failedTestsOf(inner),
  ])
}

/** Runs the rehearsal of faults. Each failure names its fault and the problem. */
async function chaos(show) {
  const { code, output } = await run(process.execPath, [join(ROOT, 'scripts', 'chaos.mjs')], { show })
  const [, passed = 0, failed = 0] = /chaos: (\d+) passed, (\d+) failed/.exec(output) ?? []
  const failures = [...output.matchAll(/^(.+): recovered in .*, FAILED: (.+)$/gm)]
  return {
    passed: Number(passed),
    failed: Number(failed) || (code === 0 ? 0 : 1),
    failures: failures.map(([, fault, problems]) => `${fault}: ${problems}`),
  }
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
