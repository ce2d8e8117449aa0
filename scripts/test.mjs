// `npm test`: every check and test of the project, part by part; installs what is missing, a browser included.
//   --quick          only what takes seconds
//   --part <name>    only this part (repeatable)
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { main } from './lib/runtime.mjs'
import { nodeProgram, Refusal, ROOT, run } from './lib/steps.mjs'

const TSC = nodeProgram('typescript/bin/tsc')
const BIOME = nodeProgram('@biomejs/biome/bin/biome')
const KNIP = nodeProgram('knip/bin/knip.js')
const VITEST = nodeProgram('vitest/vitest.mjs')
const PLAYWRIGHT = nodeProgram('@playwright/test/cli.js')
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Each tells `show` what its programs say, and returns how many of its checks passed and failed. */
const PARTS = {
  types: (show) => check(TSC, ['-b'], show),
  lint: (show) => check(BIOME, ['check', '.', '--error-on-warnings'], show),
  dead: (show) => check(KNIP, [], show),
  rules: (show) => vitest(['--project', 'pure-*'], show),
  contracts,
  units: (show) => vitest(['--project', '!pure-*'], show),
  e2e,
}
const QUICK = ['types', 'lint', 'rules']
/** The parts of a row run at once, as each leaves some of the machine idle. Those that start the product have it for themselves. */
const ROWS = [['types', 'lint', 'dead', 'rules', 'contracts'], ['units'], ['e2e']]

await main(async () => {
  const chosen = chosenParts(process.argv.slice(2))
  const results = []
  for (const row of ROWS) results.push(...(await runAtOnce(row.filter((name) => chosen.includes(name)))))
  const lines = results.map(
    ({ name, passed, failed, seconds }) =>
      `${name.padEnd(10)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
  )
  const sum = (what) => results.reduce((total, { [what]: count }) => total + count, 0)
  process.stdout.write(`\n${lines.join('\n')}\n\n${sum('passed')} passed, ${sum('failed')} failed\n`)
  process.exitCode = sum('failed') === 0 ? 0 : 1
})

/** Runs parts side by side. What the first one says is shown as it comes, what another one says when those before have ended. */
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

function chosenParts(args) {
  if (args.length === 0) return Object.keys(PARTS)
  if (args.length === 1 && args[0] === '--quick') return QUICK
  const names = args.filter((_, index) => index % 2 === 1)
  const isValid = args.every((arg, index) => (index % 2 === 0 ? arg === '--part' : arg in PARTS))
  if (!isValid || names.length * 2 !== args.length) {
    throw new Refusal(`usage: npm test [-- --quick | --part <${Object.keys(PARTS).join('|')}> ...]`)
  }
  return names
}

/** A program that either finds nothing wrong, or says what is: one check. */
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

async function e2e(show) {
  await prepare()
  const browser = await findBrowser()
  const { code, report } = await withReport((path) => {
    const env = { ...process.env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: path, CI: 'true' }
    return run(process.execPath, [PLAYWRIGHT, 'test', '--reporter=list,json'], {
      cwd: join(ROOT, 'e2e'),
      env,
      show,
    })
  })
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = report.stats ?? {}
  const failed = unexpected + flaky + skipped
  return { passed: expected, failed: failed || (code === 0 ? 0 : 1) }
}

/** A Chromium: CHROMIUM_PATH, where it usually is, or from the system's packages when root runs the tests. */
async function findBrowser() {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) {
    if (existsSync(CHROMIUM_PATH)) return CHROMIUM_PATH
    throw new Refusal(`CHROMIUM_PATH ${CHROMIUM_PATH} does not exist`)
  }
  const found = BROWSERS.find(existsSync)
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Installing Chromium with apt-get, which takes a minute or two.\n')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    const { code, output } = await run(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
      { env },
    )
    const installed = BROWSERS.find(existsSync)
    if (installed) return installed
    throw new Refusal(
      `apt-get could not install Chromium (code ${code}): ${output.trim().split('\n').at(-1)}`,
    )
  }
  throw new Refusal('the end-to-end tests need Chromium: install it, or set CHROMIUM_PATH to it')
}

/** Runs a test program that writes a JSON report to the given path. */
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
