import { existsSync } from 'node:fs'
import { Refusal, run, step } from './steps.mjs'

/** Reports whether this user can install packages of Debian. */
export const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * Installs packages of Debian and prints one line, named `what`. Throws a Refusal if one of `packages` cannot be installed. Those of
 * `optional` are left out if they cannot.
 */
export async function aptInstall(what, packages, optional = []) {
  const names = [...packages, ...optional].join(', ')
  process.stdout.write(`Installing ${names} with apt-get; this is needed once and takes a minute or two.\n`)
  await step(what, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    // A machine that has just started may be installing packages itself.
    const options = ['-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600']
    const install = (wanted) => run('apt-get', ['install', ...options, ...wanted], { env })
    const { code } = await install([...packages, ...optional])
    if (code === 0 || packages.length === 0) return
    const { code: failed, output } = await install(packages)
    if (failed !== 0)
      throw new Refusal(`apt-get could not install ${names}: ${output.trim().split('\n').at(-1)}`)
  })
}
