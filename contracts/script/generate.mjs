/**
 * Compiles the contracts and writes what TypeScript imports: generated/abi.ts and generated/bytecode.ts.
 * `--check` writes nothing and fails when the files in the repository differ from a fresh compilation.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractsDir, runForge } from './forge.mjs'

const contracts = ['RifBank', 'AmcToken', 'TestUsdt', 'RifTransfer']

const header = (what) => `// ${what} Written by \`npm run build -w contracts\`; do not edit.\n`

const camelCase = (name) => name[0].toLowerCase() + name.slice(1)

/** @param {string} contract */
function readArtifact(contract) {
  const path = join(contractsDir, 'out', `${contract}.sol`, `${contract}.json`)
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Drops the Solidity type names, which no library needs and which would be half of the file. */
function slimParameters(parameters) {
  return parameters.map(({ internalType: _, components, ...rest }) =>
    components ? { ...rest, components: slimParameters(components) } : rest,
  )
}

/** One entry per line, in the compiler's order. */
function renderAbi(contract) {
  const entries = readArtifact(contract).abi.map((entry) => ({
    ...entry,
    ...(entry.inputs && { inputs: slimParameters(entry.inputs) }),
    ...(entry.outputs && { outputs: slimParameters(entry.outputs) }),
  }))
  const lines = entries.map((entry) => `  ${JSON.stringify(entry)},\n`).join('')
  return `export const ${camelCase(contract)}Abi = [\n${lines}] as const\n`
}

/** Byte ranges of the runtime code that the constructor fills in, sorted, whatever variable they belong to. */
function immutableRanges(artifact) {
  return Object.values(artifact.deployedBytecode.immutableReferences ?? {})
    .flat()
    .map(({ start, length }) => ({ start, length }))
    .sort((a, b) => a.start - b.start)
}

function renderBytecode(contract) {
  const artifact = readArtifact(contract)
  const ranges = immutableRanges(artifact).map(
    (range) => `    { start: ${range.start}, length: ${range.length} },\n`,
  )
  const references = ranges.length === 0 ? '[]' : `[\n${ranges.join('')}  ]`
  return `export const ${camelCase(contract)}Bytecode: ContractBytecode = {
  bytecode:
    '${artifact.bytecode.object}',
  deployedBytecode:
    '${artifact.deployedBytecode.object}',
  immutableReferences: ${references},
}
`
}

const bytecodeTypes = `/** A byte range of the runtime code that holds an immutable, zero in \`deployedBytecode\`. */
export type ImmutableReference = { readonly start: number; readonly length: number }

export type ContractBytecode = {
  /** Creation code, without the constructor's arguments. */
  readonly bytecode: \`0x\${string}\`
  /** Runtime code with every immutable zero. */
  readonly deployedBytecode: \`0x\${string}\`
  /** What to set to zero in on-chain code before it is compared with \`deployedBytecode\`. */
  readonly immutableReferences: readonly ImmutableReference[]
}
`

function render() {
  return {
    'abi.ts': [header('ABIs of the contracts.'), ...contracts.map(renderAbi)].join('\n'),
    'bytecode.ts': [
      header('Bytecode of the contracts.'),
      bytecodeTypes,
      ...contracts.map(renderBytecode),
    ].join('\n'),
  }
}

function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

const checkOnly = process.argv.includes('--check')
const build = runForge(['build', '--skip', 'test'], { stdio: ['ignore', 'pipe', 'pipe'] })
if (build.status !== 0) {
  process.stderr.write(build.stdout + build.stderr)
  process.exit(1)
}

const outDir = join(contractsDir, 'generated')
mkdirSync(outDir, { recursive: true })
const stale = Object.entries(render()).filter(([name, text]) => readOrNull(join(outDir, name)) !== text)
for (const [name, text] of stale) {
  if (checkOnly)
    console.error(`generated/${name} differs from the contracts; run \`npm run build -w contracts\``)
  else writeFileSync(join(outDir, name), text)
}
console.log(
  stale.length === 0
    ? 'contracts: generated files are up to date'
    : `contracts: ${stale.map(([name]) => `generated/${name}`).join(', ')} ${checkOnly ? 'stale' : 'written'}`,
)
if (checkOnly && stale.length > 0) process.exitCode = 1
