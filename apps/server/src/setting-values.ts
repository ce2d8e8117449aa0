// The values of settings: each schema parses the text of an environment variable or of a part of a JSON setting, and its
// messages describe the accepted values.
import { isIP, isIPv6 } from 'node:net'
import { isWalletAddress } from '@rif/rules'
import { type Hex, isAddress } from 'viem'
import { z } from 'zod'
import { lookAlike } from './lib/look-alike-names.ts'

const MAX_NODES = 9
const MAX_DEMO_DAYS = 365

export const flag = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true')
const MAX_PROXIES = 9

/** An address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32))
}

/** The proxies in front: false for none, their number, or their addresses and networks. */
export const proxies = z
  .string()
  .transform((text): false | number | string[] => {
    if (text === 'false' || text === '0') return false
    if (text === 'true') return 1
    return /^\d+$/.test(text) ? Number(text) : text.split(',').map((item) => item.trim())
  })
  .refine(
    (value) => value === false || (typeof value === 'number' ? value <= MAX_PROXIES : value.every(isNetwork)),
    `false, the number of proxies (up to ${MAX_PROXIES}), or their addresses, separated by commas`,
  )
/** A text that stands in the terms: one line, without the braces of figures. */
export const line = z
  .string()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}{}]{2,200}$/u, 'one line of 2 to 200 characters, without braces')
export const absolutePath = z.string().startsWith('/', 'an absolute path')
/** 32 bytes. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits in lower case')
export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,60}$/, 'the name of a header')
  .transform((value) => value.toLowerCase())
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`)
/** The days of history of the demonstration; none for no demonstration team. */
export const demoDays = z
  .string()
  .refine(
    (value) => value === 'none' || integer(0, MAX_DEMO_DAYS).safeParse(value).success,
    `none or a whole number from 0 to ${MAX_DEMO_DAYS}`,
  )
  .transform((value) => (value === 'none' ? value : Number(value)))
export const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
/** The product is at the root of its address: a path would be lost. */
export const origin = z.string().refine((value) => {
  if (!url('http:', 'https:').safeParse(value).success) return false
  const { origin, href } = new URL(value)
  return href === `${origin}/`
}, 'an address that starts with http:// or https:// and has no path')
/**
 * The address of a server with a login, such as `postgres://login:password@host:port/name`. A login or password
 * with one of / ? # % @ as it is cannot be read.
 */
const urlWithLogin = (pattern: RegExp, protocols: string, form: string) =>
  z
    .string()
    .refine((value) => pattern.test(value), `an address that starts with ${protocols}`)
    .refine(isReadable, `${form}, where %2F, %3F, %23, %25 and %40 stand for / ? # % @ in the password`)
export const databaseUrl = urlWithLogin(
  /^postgres(ql)?:\/\//,
  'postgres:// or postgresql://',
  'postgres://login:password@host:port/name',
)
export const mailUrl = urlWithLogin(/^smtps?:\/\//, 'smtp:// or smtps://', 'smtps://login:password@host:port')
/** A relative path would lead each process to another socket. */
export const signerUrl = z
  .string()
  .refine(
    (value) => /^unix:\/./.test(value) || url('http:').safeParse(value).success,
    'unix: and the absolute path of a socket, or an address that starts with http://',
  )
/** Several addresses are separated by commas, without duplicates, because each node has one vote. */
export const urls = (...protocols: string[]) =>
  z
    .string()
    .transform((value) => value.split(',').map((item) => item.trim()))
    .refine(
      (list) =>
        list.length <= MAX_NODES &&
        new Set(list).size === list.length &&
        list.every((item) => url(...protocols).safeParse(item).success),
      `up to ${MAX_NODES} different addresses, separated by commas, that start with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
export const address = z
  .string()
  .refine(
    (value) => isAddress(value) && isWalletAddress(value),
    'an address: 0x and 40 hexadecimal digits (mixed case: the right checksum)',
  )
  .transform((value) => value as Hex)
export const addresses = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim()))
  .refine(
    (list) =>
      list.every((item) => isAddress(item) && isWalletAddress(item)) &&
      new Set(list.map((item) => item.toLowerCase())).size === list.length,
    'different addresses, separated by commas',
  )
  .transform((list) => list as Hex[])
export const approvers = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim().split('=')))
  .refine(
    (list) =>
      list.every(
        ([person, address, ...rest]) =>
          person?.trim() && isAddress(address ?? '') && isWalletAddress(address!) && rest.length === 0,
      ) && new Set(list.map(([, address]) => address?.toLowerCase())).size === list.length,
    'persons with different addresses, separated by commas: Vera=0x...,Otto=0x...',
  )
  .transform((list) => {
    const persons = list.map(([person]) => person!.trim())
    // A name that looks like an earlier one is that person: two spellings never count as two persons.
    return list.map(([, address], index) => ({
      person: persons.find((person) => lookAlike(person, persons[index]!))!,
      address: address as Hex,
    }))
  })
export const keySource = z
  .string()
  .regex(/^(keystore:.+|pkcs11:.+)$/, 'keystore:FILE or pkcs11:token=LABEL;object=LABEL')
export const email = z.email('an e-mail address')
/** The contact in each push (RFC 8292). */
export const pushSubject = z
  .string()
  .refine(
    (value) =>
      value.startsWith('mailto:')
        ? email.safeParse(value.slice('mailto:'.length)).success
        : url('https:').safeParse(value).success,
    'mailto: and an e-mail address, or an address that starts with https://',
  )
export const localHosts = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim().toLowerCase()))
  .refine(
    (list) => list.every((item) => /^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/.test(item)),
    'host names or IP addresses, each with a port if only one is meant, separated by commas',
  )
export const contact = z
  .string()
  .max(200)
  .refine(
    (value) => email.safeParse(value).success || url('https:').safeParse(value).success,
    'an e-mail address or an https:// address',
  )
export const hostName = z
  .string()
  .refine((value) => isIP(value) !== 0 || /^[a-z0-9.-]+$/i.test(value), 'an IP address or a host name')

function isReadable(value: string): boolean {
  try {
    const { username, password, host } = new URL(value)
    for (const part of [username, password, host]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
