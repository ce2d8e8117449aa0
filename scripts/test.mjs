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

/** Parts with this option give way to the end-to-end tests, which take longest and whose pages answer within timeouts. */
const GIVES_WAY = { nice: 5 }

/**
 * Each passes the output of its programs to `show`, and returns the numbers of its passed and failed checks.
 */
const PARTS = {
  // One checker takes 1.1 GB. The default of four takes up to 5 GB and is no faster on two cores.
  types: (show) => check(TSC, ['-b', '--checkers', '1', '--builders', '1'], { show }),
  lint: (show) => check(BIOME, ['check', '.', '--error-on-warnings'], { show }),
  rules: (show) => vitest(['--project', 'pure-*'], { show }),
  contracts: (show) => contracts({ show, ...GIVES_WAY }),
  dead: (show) => check(KNIP, [], { show, ...GIVES_WAY }),
  units: (show) => vitest(['--project', '!pure-*'], { show, ...GIVES_WAY }),
  chaos,
  e2e: endToEnd,
  journeys,
  firefox: (show) => e2e(show, ['firefox']),
}
const QUICK = ['types', 'lint', 'rules']
/** Parts that run only when they are named. */
const NAMED_ONLY = ['journeys', 'firefox']
const USUAL = Object.keys(PARTS).filter((name) => !NAMED_ONLY.includes(name))
/** The parts that run the built product. */
const OF_PRODUCT = ['chaos', 'e2e', 'journeys', 'firefox']
/** The steps that parts need; none is a check. */
const STEPS = {
  install: installPrograms,
  build: (parts) => (parts.some((name) => OF_PRODUCT.includes(name)) ? prepare() : undefined),
}
const READY = ['build', 'install']
/**
 * The parts and steps that each waits for; the others begin at once. Parts run beside each other, as each leaves some of the machine
 * idle: end-to-end tests wait for pages and blocks, faults for timeouts, and a compiler uses one core. The check for dead code
 * reads the browser's configuration. No other part may run beside the last two.
 */
const AFTER = {
  build: ['types'],
  ...{ dead: READY, units: READY, chaos: READY, e2e: READY },
  journeys: [...READY, 'units', 'chaos', 'e2e'],
  firefox: [...READY, 'units', 'chaos', 'e2e', 'journeys'],
}

/** A file system in memory, which is used for temporary files if this many bytes are free. */
const MEMORY = '/dev/shm'
const MEMORY_NEEDED = 4 * 1024 ** 3

/**
 * If more files have failed tests, a busy machine is not the cause. Where tests are steps of a journey, one
 * failure makes the rest fail.
 */
const MAX_REPEATED_FILES = 8

await main(async () => {
  const { parts, files } = parseCommand()
  keepTemporaryFilesInMemory()
  if (files.length > 0) {
    process.exitCode = await testFiles(files)
    return
  }
  const results = await repeatFailures(await runParts(parts))
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
}, installBeside)

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

/** Runs each part as soon as what it waits for has ended. Throws a Refusal if a step fails, when no part runs any more. */
async function runParts(parts) {
  const outputOf = inOrder(parts)
  const ended = {}
  const begin = async (name) => {
    await Promise.all((AFTER[name] ?? []).map((other) => ended[other]))
    if (name in STEPS) return STEPS[name](parts)
    const { show, end } = outputOf(name)
    const begun = performance.now()
    const counts = await PARTS[name](show)
    end()
    return { name, ...counts, seconds: (performance.now() - begun) / 1000 }
  }
  // Each line waits for the parts before it.
  for (const name of new Set(['types', ...Object.keys(STEPS), ...Object.keys(PARTS)]))
    if (name in STEPS || parts.includes(name)) ended[name] = begin(name)
  await Promise.allSettled(Object.values(ended))
  return Promise.all(parts.map((name) => ended[name]))
}

/**
 * In `.ci/run`, repeats a few failed test files when no other part runs any more, because timeouts are short
 * on a machine that does everything at once. A test that then passes counts as passed, and is listed.
 */
async function repeatFailures(results) {
  const files = results.reduce((total, { failedFiles = 0 }) => total + failedFiles, 0)
  if (!process.env.CI || files > MAX_REPEATED_FILES) return results
  const repeated = []
  // Tests that did not run because another one failed have no name, and are not repeated.
  for (const result of results)
    repeated.push(
      result.failed > 0 && result.failures?.length === result.failed ? await repeat(result) : result,
    )
  return repeated
}

/** Returns a part as passed if each of its failed tests runs and passes now, and otherwise as it was. */
async function repeat(result) {
  const { name, again, failures, failed } = result
  process.stdout.write(`\n== ${name}, what failed by itself\n`)
  const alone = await again((text) => process.stdout.write(text))
  if (alone.failed > 0 || alone.passed < failed) return result
  for (const failure of failures) process.stdout.write(`\nFailed beside other parts: ${failure}\n`)
  return { ...result, passed: result.passed + failed, failed: 0, failures: [] }
}

/**
 * Shows the output of the first part as it is written, and that of each later part when those before it have
 * ended.
 */
function inOrder(names) {
  const held = names.map((name) => `\n== ${name}\n`)
  const ended = new Set()
  let shown = 0
  process.stdout.write(held[shown] ?? '')
  return (name) => {
    const index = names.indexOf(name)
    return {
      show: (text) => {
        if (index === shown) process.stdout.write(text)
        else held[index] += text
      },
      end: () => {
        ended.add(index)
        while (ended.has(shown)) process.stdout.write(held[++shown] ?? '')
      },
    }
  }
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
async function check(program, args, options) {
  const { code } = await run(process.execPath, [program, ...args], options)
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function vitest(args, options) {
  const result = await withReport((report) =>
    run(
      process.execPath,
      [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      options,
    ),
  )
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numFailedTestSuites = 0,
    success = false,
    testResults = [],
  } = result.report
  const failed = numFailedTests || numFailedTestSuites
  return {
    passed: numPassedTests,
    failed: failed || (result.code === 0 && success ? 0 : 1),
    failures: failuresOf(testResults),
    failedFiles: failedFilesOf(testResults).length,
    again: (show) => vitest([...args, ...failedFilesOf(testResults)], { ...options, show }),
  }
}

function failedFilesOf(testResults) {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
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

async function contracts(options) {
  const npm = (script) => run('npm', ['run', '--silent', script, '-w', 'contracts'], options)
  const { code, output } = await npm('test')
  // Afterwards, because it then finds the contracts compiled.
  const { code: stale } = await npm('check')
  const [, passed = 0, failed = 0] = /contracts: (\d+) passed, (\d+) failed/.exec(output) ?? []
  return {
    passed: Number(passed) + (stale === 0 ? 1 : 0),
    failed: (Number(failed) || (code === 0 ? 0 : 1)) + (stale === 0 ? 0 : 1),
  }
}

/** Runs the end-to-end tests. Those that must not share a product with others run on a separate one. */
async function endToEnd(show) {
  let held = ''
  const [shared, alone] = await Promise.all([
    e2e(show, ['main', 'dejavu']),
    e2e((text) => (held += text), ['alone'], ['--no-deps', '--workers=1'], { E2E_PORT: '18091' }),
  ])
  show(held)
  return sumOf(shared, alone)
}

/**
 * Runs the end-to-end tests that must run alone: a chain of projects that depend on each other, and a single
 * project.
 */
async function journeys(show) {
  const [row, last] = [await e2e(show, ['exits']), await e2e(show, ['hand-over'])]
  return sumOf(row, last)
}

function sumOf(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    failures: [...one.failures, ...other.failures],
    failedFiles: one.failedFiles + other.failedFiles,
    again: async (show) => {
      const repeated = []
      for (const half of [one, other]) if (half.failed > 0) repeated.push(await half.again(show))
      return repeated.length === 2 ? sumOf(...repeated) : repeated[0]
    },
  }
}

/** Runs projects of the end-to-end tests, with their dependencies. */
async function e2e(show, projects, options = [], variables = {}) {
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
  const suites = report.suites ?? []
  const failures = testsOf(suites, 'unexpected')
  for (const { file, title, message } of testsOf(suites, 'flaky'))
    show(`flaky: ${file}: ${title}\n${start(message)}\n`)
  return {
    passed: expected + flaky,
    failed: failed || (code === 0 ? 0 : 1),
    failures: failures.map(({ file, title, message }) => `${file}: ${title}\n${start(message)}`),
    failedFiles: new Set(failures.map(({ file }) => file)).size,
    again: (again) => e2e(again, projects, ['--last-failed', ...options], variables),
  }
}

/** Returns the tests of the given status in Playwright's report; `flaky` failed at first and passed when they were repeated. */
function testsOf(suites, wanted) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ results }) => ({
          ...{ file, title },
          // The first attempt's, as a repeated test also meets what the first one left.
          message: results.find(({ error }) => error)?.error.message ?? '',
        })),
    ),
    ...testsOf(inner, wanted),
  ])
}

/**
 * Runs the short rehearsal of faults, or only the faults with a text in their name. Each failure names its
 * fault and the problem.
 */
async function chaos(show, only = []) {
  const program = [join(ROOT, 'scripts', 'chaos.mjs'), '--short', ...only]
  const { code, output } = await run(process.execPath, program, { show })
  const [, passed = 0, failed = 0] = /chaos: (\d+) passed, (\d+) failed/.exec(output) ?? []
  const found = [...output.matchAll(/^(.+): recovered in .*, FAILED: (.+)$/gm)]
  return {
    ...{ passed: Number(passed), failed: Number(failed) || (code === 0 ? 0 : 1) },
    failures: found.map(([, fault, problems]) => `${fault}: ${problems}`),
    failedFiles: found.length,
    again: async (showAlone) => {
      const alone = { passed: 0, failed: 0 }
      for (const [, fault] of found) {
        const counts = await chaos(showAlone, ['--only', fault])
        alone.passed += counts.passed
        alone.failed += counts.failed
      }
      return alone
    },
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
