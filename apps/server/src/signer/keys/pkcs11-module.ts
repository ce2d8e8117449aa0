import { promisify } from 'node:util'
import koffi from 'koffi'
import { StartError } from '../../lib/start-error.ts'

/**
 * The functions of PKCS#11 that signing uses, by their position in CK_FUNCTION_LIST, with their arguments.
 * PKCS#11 2.40.
 */
const FUNCTIONS = {
  C_Initialize: [0, 'void *'],
  C_Finalize: [1, 'void *'],
  C_GetSlotList: [4, 'uint8', 'void *', 'void *'],
  C_GetTokenInfo: [6, 'ulong', 'void *'],
  C_OpenSession: [12, 'ulong', 'ulong', 'void *', 'void *', 'void *'],
  C_CloseSession: [13, 'ulong'],
  C_Login: [18, 'ulong', 'ulong', 'void *', 'ulong'],
  C_GetAttributeValue: [24, 'ulong', 'ulong', 'void *', 'ulong'],
  C_FindObjectsInit: [26, 'ulong', 'void *', 'ulong'],
  C_FindObjects: [27, 'ulong', 'void *', 'ulong', 'void *'],
  C_FindObjectsFinal: [28, 'ulong'],
  C_SignInit: [42, 'ulong', 'void *', 'ulong'],
  C_Sign: [43, 'ulong', 'void *', 'ulong', 'void *', 'void *'],
} as const satisfies Record<string, readonly [number, ...string[]]>

type FunctionName = keyof typeof FUNCTIONS

/** An attribute of an object, as bytes. */
export type Attribute = readonly [type: number, value: Buffer]

/** A call that the token refused, with its CKR code. */
export class TokenError extends Error {
  readonly code: number

  constructor(name: string, code: number) {
    super(`${name} failed with 0x${code.toString(16)}`)
    this.code = code
  }
}

/** CK_ULONG is as long as a pointer on Linux and macOS. */
const ULONG = 8
const LIST_LENGTH = 68
const CKF_OS_LOCKING_OK = 2n
const CKF_SERIAL_SESSION = 4n
const CKU_USER = 1n
const CKM_ECDSA = 0x1041n
const CKR_USER_ALREADY_LOGGED_IN = 0x100
const CKR_CRYPTOKI_ALREADY_INITIALIZED = 0x191
const LABEL_LENGTH = 32
const TOKEN_INFO_LENGTH = 256
const MAX_SLOTS = 64
const MAX_VALUE = 512

export type Pkcs11Module = Awaited<ReturnType<typeof loadPkcs11>>

/** Loads the PKCS#11 library of a token. Calls run outside the event loop; make one at a time. Throws StartError. */
export async function loadPkcs11(path: string) {
  const call = callsOf(path)
  async function initialise(): Promise<void> {
    const settings = Buffer.alloc(6 * ULONG)
    settings.writeBigUInt64LE(CKF_OS_LOCKING_OK, 4 * ULONG)
    await call('C_Initialize', settings).catch((error: unknown) => {
      if ((error as TokenError).code !== CKR_CRYPTOKI_ALREADY_INITIALIZED)
        throw new StartError(`the library ${path} cannot be initialised: ${(error as Error).message}`)
    })
  }
  await initialise()

  return {
    /** Starts the library anew, which ends the sessions of all keys. Throws StartError. */
    async restart(): Promise<void> {
      await call('C_Finalize', null).catch(() => undefined)
      await initialise()
    },

    /** Returns the slot of the token with a label; undefined when there is none. */
    async findToken(label: string): Promise<bigint | undefined> {
      const slots = Buffer.alloc(MAX_SLOTS * ULONG)
      const count = ulong(BigInt(MAX_SLOTS))
      await call('C_GetSlotList', 1, slots, count)
      for (let index = 0; index < Number(count.readBigUInt64LE()); index++) {
        const slot = slots.readBigUInt64LE(index * ULONG)
        const info = Buffer.alloc(TOKEN_INFO_LENGTH)
        await call('C_GetTokenInfo', slot, info)
        if (info.toString('utf8', 0, LABEL_LENGTH).trimEnd() === label) return slot
      }
      return undefined
    },

    /** Opens a session in which keys may be used. Throws TokenError, for a wrong PIN too. */
    async openSession(slot: bigint, pin: string): Promise<bigint> {
      const handle = ulong(0n)
      await call('C_OpenSession', slot, CKF_SERIAL_SESSION, null, null, handle)
      const session = handle.readBigUInt64LE()
      const secret = Buffer.from(pin)
      await call('C_Login', session, CKU_USER, secret, BigInt(secret.length)).catch((error: unknown) => {
        if ((error as TokenError).code !== CKR_USER_ALREADY_LOGGED_IN) throw error
      })
      return session
    },

    closeSession: (session: bigint): Promise<void> => call('C_CloseSession', session),

    /** Returns at most two objects that have all the attributes. */
    async findObjects(session: bigint, attributes: readonly Attribute[]): Promise<bigint[]> {
      await call('C_FindObjectsInit', session, templateOf(attributes), BigInt(attributes.length))
      const handles = Buffer.alloc(2 * ULONG)
      const count = ulong(0n)
      await call('C_FindObjects', session, handles, 2n, count)
      await call('C_FindObjectsFinal', session)
      return Array.from({ length: Number(count.readBigUInt64LE()) }, (_, index) =>
        handles.readBigUInt64LE(index * ULONG),
      )
    },

    /** Returns one attribute of an object. Throws TokenError when it has none. */
    async attribute(session: bigint, object: bigint, type: number): Promise<Buffer> {
      const value = Buffer.alloc(MAX_VALUE)
      const template = templateOf([[type, value]])
      await call('C_GetAttributeValue', session, object, template, 1n)
      return value.subarray(0, Number(template.readBigUInt64LE(2 * ULONG)))
    },

    /** Signs a digest with ECDSA, and returns r and s, 32 bytes each. */
    async sign(session: bigint, key: bigint, digest: Buffer): Promise<Buffer> {
      const mechanism = Buffer.alloc(3 * ULONG)
      mechanism.writeBigUInt64LE(CKM_ECDSA)
      await call('C_SignInit', session, mechanism, key)
      const signature = Buffer.alloc(MAX_VALUE)
      const length = ulong(BigInt(signature.length))
      await call('C_Sign', session, digest, BigInt(digest.length), signature, length)
      return signature.subarray(0, Number(length.readBigUInt64LE()))
    },
  }
}

/**
 * The objects to which native code has pointers, and which must not be collected: libraries for ever, and the
 * arguments of calls.
 */
const inUse = new Set<unknown>()

/**
 * Returns the caller of the library's functions. Throws StartError for a file that is not a PKCS#11 library.
 */
function callsOf(path: string): (name: FunctionName, ...args: unknown[]) => Promise<void> {
  const pointers = functionList(path)
  const functions = new Map<string, (...args: unknown[]) => Promise<unknown>>()
  for (const [name, [index, ...args]] of Object.entries(FUNCTIONS)) {
    const callable = koffi.decode(pointers[index], koffi.proto('ulong', args))
    functions.set(name, promisify(callable.async))
  }
  return async (name, ...args) => {
    inUse.add(args)
    try {
      const code = Number(await functions.get(name)!(...args))
      if (code !== 0) throw new TokenError(name, code)
    } finally {
      inUse.delete(args)
    }
  }
}

function functionList(path: string): BigUint64Array {
  try {
    // With its own OpenSSL, not the one that the Node.js program exports.
    const library = koffi.load(path, { deep: process.platform === 'linux' })
    inUse.add(library)
    const list = Buffer.alloc(ULONG)
    const code = library.func('C_GetFunctionList', 'ulong', ['void *'])(list)
    if (Number(code) !== 0) throw new TokenError('C_GetFunctionList', Number(code))
    // The list begins with its version.
    return koffi.decode(list.readBigUInt64LE(), ULONG, koffi.array('uint64', LIST_LENGTH))
  } catch (cause) {
    throw new StartError(`${path} cannot be loaded as a PKCS#11 library (PKCS11_MODULE)`, { cause })
  }
}

/**
 * Returns an array of CK_ATTRIBUTE (type, pointer to the value, length of the value) and keeps the values in
 * memory.
 */
function templateOf(attributes: readonly Attribute[]): Buffer {
  const template = Object.assign(Buffer.alloc(attributes.length * 3 * ULONG), { attributes })
  for (const [index, [type, value]] of attributes.entries()) {
    const at = index * 3 * ULONG
    template.writeBigUInt64LE(BigInt(type), at)
    template.writeBigUInt64LE(BigInt(koffi.address(value)), at + ULONG)
    template.writeBigUInt64LE(BigInt(value.length), at + 2 * ULONG)
  }
  return template
}

/** Returns a CK_ULONG in memory. */
export function ulong(value: bigint): Buffer {
  const buffer = Buffer.alloc(ULONG)
  buffer.writeBigUInt64LE(value)
  return buffer
}
