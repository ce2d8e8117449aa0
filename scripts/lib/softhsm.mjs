import { existsSync } from 'node:fs'
import { aptInstall, canInstall } from './debian.mjs'
import { Refusal } from './steps.mjs'

const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
]

/** Returns the path of the library of SoftHSM, a PKCS#11 token in software, or undefined if it is not installed. */
export function findSoftHsm() {
  return process.env.SOFTHSM2_MODULE || MODULES.find(existsSync)
}

/** Installs SoftHSM, which the tests of keys in tokens use, where it is missing. Throws a Refusal without it. */
export async function installSoftHsm() {
  if (findSoftHsm() === undefined && canInstall()) await aptInstall('token', ['softhsm2'])
  if (findSoftHsm() === undefined)
    throw new Refusal('the tests of keys in tokens need SoftHSM: install softhsm2, or set SOFTHSM2_MODULE')
}
