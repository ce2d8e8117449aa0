/**
 * Changes the code of the contracts' libraries in one place at a time and reports the changes that the unit tests do not notice:
 * `node script/mutation.mjs`, or with files: `node script/mutation.mjs src/libraries/DailyCap.sol`. `--list` only lists the changes.
 *
 * A compilation takes much longer than the tests, so all changes of statements are compiled at once, into a copy under .tmp: a changed
 * statement becomes `if (block.prevrandao == 7) { changed } else { original }`, and each run of the tests sets another value. Changes
 * of constants are compiled one by one. The copy is compiled without the optimizer, and the random cases have a fixed seed.
 * The exit code is 1 if a change survives that `EQUIVALENT` does not name.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { contractsDir, runForge } from './forge.mjs'

const LIBRARIES = 'src/libraries'
const COPY = join(dirname(contractsDir), '.tmp/mutation/contracts')
/** The compiler's answers, which later runs use too. */
const ANSWERS = join(dirname(contractsDir), '.tmp/mutation/solc')
const COPIED = ['foundry.toml', 'script', 'src', 'test']

/** The changes that cannot alter a result, as printed. The reasons are in docs/decisions/0019-mutation-tests.md. */
const EQUIVALENT = new Set([
  'src/libraries/DailyCap.sol: return spent < self.cap ? self.cap - spent : 0; => return spent <= self.cap ? self.cap - spent : 0;',
  'src/libraries/DailyCap.sol: if (wasQueued) _clearRaise(self); => if (true) _clearRaise(self);',
])

/** The tests that know a library best. What they do not notice is tried on all unit tests. */
const NEAREST = {
  Coverage: 'RifBankExits',
  DailyCap: 'RifBankCaps',
  ExactTransfer: 'RifBankHostileTokens',
  PublicDelay: 'RifBankCaps',
}

/** The replacements of operators and names; every place where the pattern matches is a change of its own. */
const OPERATORS = [
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ == /g, ' != '],
  [/ != /g, ' == '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/ \/ /g, ' * '],
  [/ \+= /g, ' -= ', ' = '],
  [/ -= /g, ' += ', ' = '],
  [/(?<=[( ])!(?=[a-z_(])/g, ''],
  [/\bMath\.min\b/g, 'Math.max'],
  [/\bMath\.max\b/g, 'Math.min'],
  [/\bMath\.saturatingSub\b/g, 'Math.saturatingAdd'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
]
const CONDITION = /(?<=\bif \().*?(?=\) (?:revert|return|[_a-zA-Z]+\())|(?<=return ).*?(?= \? )/g
const NUMBER = /(?<![\w.])\d+(?![\w.])/g
const CONSTANT = /\bconstant \w+ = /
/** A statement of a function in a library; no member of a struct. */
const STATEMENT = /^ {8}(?! |(?!return )\w+ \w+;)(.+;)$/
const DECLARATION = /^((?:u?int\d*|bool|address|bytes\d*) (\w+)) = /

/** Declarations, also of several variables, and conditions, which are changed but not left out. */
const STAYS = /^(if )?\(|^(u?int\d*|bool|address|bytes\d*) /

/** Lists the changes of a statement as whole statements. */
function changesOf(code) {
  const replaced = (pattern, replacements) =>
    [...code.matchAll(pattern)].flatMap(({ 0: match, index }) =>
      replacements(match).map((by) => code.slice(0, index) + by + code.slice(index + match.length)),
    )
  return [
    ...OPERATORS.flatMap(([pattern, ...replacements]) => replaced(pattern, () => replacements)),
    ...replaced(CONDITION, () => ['true', 'false']),
    ...replaced(NUMBER, (digits) => [
      Number(digits) + 1,
      ...(Number(digits) > 1 ? [Number(digits) - 1] : []),
    ]),
    ...(STAYS.test(code) ? [] : ['']),
  ]
}

/** Returns a declaration in two parts, its type and name and its assignment; of another statement, nothing and the statement. */
function parted(code) {
  const [, declared, name] = DECLARATION.exec(code) ?? []
  return declared === undefined ? ['', code] : [`${declared}; `, code.replace(declared, name)]
}

let lastId = 0

/**
 * Reads a source. Returns its changes, and the source that holds all changes of statements.
 * @param {string} file
 */
function read(file) {
  const source = readFileSync(join(contractsDir, file), 'utf8')
  const lines = source.split('\n')
  const changes = []
  const whole = lines.map((text, index) => {
    const [, code] = STATEMENT.exec(text) ?? []
    const isConstant = CONSTANT.test(text)
    if (code === undefined && !isConstant) return text
    const before = text.trim()
    const made = changesOf(before).map((after) => ({
      id: ++lastId,
      name: `${file}: ${before} => ${after || 'removed'}`,
      /** The source with this change alone, which a constant needs. */
      alone: isConstant ? lines.with(index, text.replace(before, after)).join('\n') : null,
      after,
    }))
    changes.push(...made)
    if (isConstant || made.length === 0) return text
    const [declared, original] = parted(before)
    const cases = made.map(
      ({ id, after }) => `if (block.prevrandao == ${id}) { ${after && parted(after)[1]} } else `,
    )
    return `${declared}${cases.join('')}{ ${original} }`
  })
  return { file, source, changes, whole: whole.join('\n') }
}

/**
 * Runs unit tests in the copy until one fails, and reports whether all passed. The exit code of forge is lost on its way through npm's
 * program, so the summary decides.
 * @param {string} name the name of the test's file, or a pattern
 * @param {number} id the change of a statement that is made; 0 for none
 */
function pass(name, id) {
  const options = ['--match-path', `test/unit/${name}.t.sol`, '--fail-fast', '--fuzz-seed', '0x1']
  const { stdout, stderr } = runForge(['test', ...options], {
    cwd: COPY,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      SOLC_ANSWERS: ANSWERS,
      FOUNDRY_OPTIMIZER: 'false',
      FOUNDRY_CODE_SIZE_LIMIT: '1000000',
      FOUNDRY_FUZZ_RUNS: '64',
      FOUNDRY_BLOCK_PREVRANDAO: `0x${id.toString(16).padStart(64, '0')}`,
    },
  })
  const [, passed, failed] = /: (\d+) tests passed, (\d+) failed/.exec(stdout) ?? []
  if (failed === undefined || (passed === '0' && failed === '0')) throw new Error(stdout + stderr)
  return failed === '0'
}

const args = process.argv.slice(2)
const named = args.filter((arg) => arg.endsWith('.sol'))
const libraries = readdirSync(join(contractsDir, LIBRARIES)).map((name) => `${LIBRARIES}/${name}`)
// All of them stand in the copy, whichever are tried, so that the compiler's answers serve every run.
const sources = [...new Set([...libraries, ...named])].map(read)
const tried = named.length === 0 ? sources : sources.filter(({ file }) => named.includes(file))
const sumOf = ({ killed, survived, equivalent }) =>
  `${killed} killed, ${survived} survived, ${equivalent} cannot change a result`

if (args.includes('--list')) {
  for (const { changes } of tried) for (const { name } of changes) console.log(name)
} else {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  mkdirSync(ANSWERS, { recursive: true })
  for (const name of COPIED) cpSync(join(contractsDir, name), join(COPY, name), { recursive: true })
  for (const { file, whole } of sources) writeFileSync(join(COPY, file), whole)
  if (!pass('*', 0)) throw new Error('the tests fail without a change')
  const total = { killed: 0, survived: 0, equivalent: 0 }
  for (const { file, whole, changes } of tried) {
    const counts = { killed: 0, survived: 0, equivalent: 0 }
    // Constants last, because each is compiled anew.
    for (const { id, name, alone } of changes.toSorted(
      (a, b) => (a.alone === null ? 0 : 1) - (b.alone === null ? 0 : 1),
    )) {
      if (alone !== null) writeFileSync(join(COPY, file), alone)
      const nearest = NEAREST[basename(file, '.sol')]
      const survives = (nearest === undefined || pass(nearest, id)) && pass('*', id)
      const kind = !survives ? 'killed' : EQUIVALENT.has(name) ? 'equivalent' : 'survived'
      counts[kind]++
      total[kind]++
      if (survives) console.log(`${kind} ${name}`)
    }
    writeFileSync(join(COPY, file), whole)
    console.log(`${file}: ${sumOf(counts)}`)
  }
  console.log(`libraries of the contracts: ${sumOf(total)}`)
  if (total.survived > 0) process.exitCode = 1
}
