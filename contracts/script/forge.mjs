/**
 * Runs the Forge that npm installed, from any directory: `node script/forge.mjs test --match-test testPays`.
 *
 * The import path of OpenZeppelin is passed as the absolute path that Node resolves, because npm installs the
 * package in the workspace root and solc does not resolve relative imports below a path that starts with `../`.
 * The path does not affect the bytecode, which has no metadata.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

/** The directory of foundry.toml. */
export const contractsDir = dirname(dirname(fileURLToPath(import.meta.url)))

const forgeBin = join(dirname(require.resolve('@foundry-rs/forge/package.json')), 'bin.mjs')
const openZeppelinDir = dirname(dirname(require.resolve('@openzeppelin/contracts/package.json')))

/**
 * Runs one Forge command and waits for it.
 * @param {string[]} args the command line without `forge`
 * @param {import('node:child_process').SpawnSyncOptions} [options] `stdio` defaults to `'inherit'`
 * @returns {import('node:child_process').SpawnSyncReturns<string>}
 */
export function runForge(args, options = {}) {
  const env = {
    ...process.env,
    TARGET_TOOL: 'forge',
    DAPP_REMAPPINGS: `@openzeppelin/=${openZeppelinDir}/`,
    FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
    ...options.env,
  }
  const run = spawnSync(process.execPath, [forgeBin, ...args], {
    cwd: contractsDir,
    encoding: 'utf8',
    stdio: 'inherit',
    maxBuffer: 256 * 1024 * 1024,
    ...options,
    env,
  })
  if (run.error) throw run.error
  return run
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = runForge(process.argv.slice(2)).status ?? 1
}
