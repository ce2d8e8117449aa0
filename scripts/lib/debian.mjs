import { existsSync } from 'node:fs'
import { Refusal, run, step } from './steps.mjs'

/** Reports whether this user can install packages of Debian. */
export const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs packages of Debian and prints one line, named `what`. Throws a Refusal when it fails. */
export async function aptInstall(what, packages) {
  const names = packages.join(', ')
  process.stdout.write(`Installing ${names} with apt-get; this is needed once and takes a minute or two.\n`)
  await step(what, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
    const { code, output } = await run('apt-get', args, { env })
    if (code !== 0)
      throw new Refusal(`apt-get could not install ${names}: ${output.trim().split('\n').at(-1)}`)
  })
}
