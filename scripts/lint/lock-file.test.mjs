import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../lib/steps.mjs'

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

/** Returns the packages that the lock file's entries name and that no entry describes, as `npm ci` finds them. */
function missingPackages() {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (entry.link) return []
    const isOptionalPeer = (name) => entry.peerDependenciesMeta?.[name]?.optional
    const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => !isOptionalPeer(name))
    const development = path.includes('node_modules/') ? {} : entry.devDependencies
    return [
      ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...development }),
      ...peers,
    ]
      .filter((name) => !isDescribed(path, name))
      .map((name) => `${path || 'package.json'}: ${name}`)
  })
}

/** Follows Node's resolution: from the package's own folder upwards. */
function isDescribed(path, name) {
  for (let folder = path; ; folder = dirname(folder)) {
    if (join(folder, 'node_modules', name) in packages) return true
    if (folder === '.' || folder === '') return join('node_modules', name) in packages
  }
}

it('describes the packages of every platform, so that `npm ci` works on each', () => {
  expect(missingPackages()).toEqual([])
})

it("has an integrity for each package, and its address at npm's own registry, which npm replaces by the configured one", () => {
  const installed = Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
  )
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  const isAtNpm = ({ resolved }) => resolved?.startsWith('https://registry.npmjs.org/')
  expect(installed.filter(([, entry]) => !isAtNpm(entry)).map(([path]) => path)).toEqual([])
})
