import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig, refuseUndecidedProxy } from './config.ts'
import { StartError } from './lib/start-error.ts'
import { CHAIN_ID, parseSettings, SECRET_SETTINGS, SETTINGS } from './settings.ts'

const REMOTE = {
  RPC_URL: 'https://node.example/v2/secret',
  BANK_ADDRESS: '0x1111111111111111111111111111111111111111',
  TRANSFER_ADDRESS: '0x2222222222222222222222222222222222222222',
  USDT_ADDRESS: '0x3333333333333333333333333333333333333333',
  AMC_ADDRESS: '0x4444444444444444444444444444444444444444',
  START_BLOCK: '300000000',
  ROOT_ADDRESS: '0x5555555555555555555555555555555555555555',
  OPERATOR_NAME: 'RIF Test Ltd',
  OPERATOR_ADDRESS: 'Street 1, City',
  OPERATOR_LAW: 'Singapore',
  OPERATOR_VENUE: 'Singapore',
}
/** The first of the keys that Anvil prints when it starts. */
const FIRST_DEV_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Values of which every setting accepts one. */
const VALUES = [
  '8080',
  'true',
  'localhost',
  'https://rif.example',
  'postgres://rif:secret@db.example/rif',
  '/var/lib/rif',
  '0x1111111111111111111111111111111111111111',
  'Vera=0x1111111111111111111111111111111111111111',
  'a'.repeat(64),
  'a'.repeat(43),
  'help@rif.example',
  'smtps://rif:secret@mail.example',
  'unix:/run/rif.sock',
  'keystore:/etc/rif/key.json',
  '100/1000/100',
  'mailto:help@rif.example',
  'info',
  '42161',
  `exchange=whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  '3',
  'AMC=0x1111111111111111111111111111111111111111/3600',
  '100',
  '18',
  'wss://relay.example',
]

describe('loadConfig', () => {
  it.each(Object.entries(SETTINGS))('reads %s without white space around it', (name, { schema }) => {
    const value = VALUES.find((item) => schema.safeParse(item).success)
    const plain = parseSettings({ [name]: value })
    expect(plain).toHaveProperty(name)
    for (const text of [`${value}\n`, `${value}\r\n`, ` ${value}\t`, `\ufeff${value}`])
      expect(parseSettings({ [name]: text })).toEqual(plain)
  })

  it('counts approvers of the signer whose names look alike as one person', () => {
    const [a, b, c] = [1, 2, 3].map((digit) => `0x${`${digit}`.repeat(40)}`)
    const { SIGNER_APPROVERS } = parseSettings({ SIGNER_APPROVERS: `Vera=${a},V\u0435ra=${b},Otto=${c}` })
    expect(SIGNER_APPROVERS?.map(({ person }) => person)).toEqual(['Vera', 'Vera', 'Otto'])
  })

  it('needs no settings at all on this machine', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({ port: 8080, publicUrl: 'http://localhost:8080', confirmations: 3 })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.remoteChain).toBeUndefined()
  })

  it('makes an old solvency report close the gate on every chain but the local one, where a setting decides', () => {
    const required = (env: object) => loadConfig({ ...env }).needsSnapshots
    expect(required({})).toBe(false)
    expect(required({ SNAPSHOTS_REQUIRED: 'true' })).toBe(true)
    expect(required(REMOTE)).toBe(true)
    expect(required({ ...REMOTE, SNAPSHOTS_REQUIRED: 'false' })).toBe(true)
  })

  it.each(['OPERATOR_NAME', 'OPERATOR_ADDRESS', 'OPERATOR_LAW', 'OPERATOR_VENUE'] as const)(
    'needs %s on a real chain, in one line without the braces of figures',
    (name) => {
      const { [name]: value, ...others } = REMOTE
      expect(() => loadConfig(others)).toThrow(`RPC_URL is set, so these must be too: ${name}`)
      expect(() => loadConfig({ [name]: value })).toThrow('go together')
      for (const wrong of ['{fee}', 'two\nlines', 'x'])
        expect(() => loadConfig({ ...REMOTE, [name]: wrong })).toThrow(name)
    },
  )

  it('names the operator of a real chain, and nobody in a demonstration', () => {
    expect(loadConfig(REMOTE).operator).toEqual({
      name: 'RIF Test Ltd',
      address: 'Street 1, City',
      law: 'Singapore',
      venue: 'Singapore',
    })
    expect(loadConfig({}).operator).toBeUndefined()
  })

  it('accepts a complete remote chain', () => {
    const config = loadConfig({ ...REMOTE, PUBLIC_URL: 'https://rif.example/' })
    expect(config.publicUrl).toBe('https://rif.example')
    expect(config.confirmations).toBe(20)
    expect(config.remoteChain).toMatchObject({ startBlock: 300_000_000n, rpcUrls: [REMOTE.RPC_URL] })
    expect(config.remoteChain?.browserRpcUrl).not.toContain('secret')
  })

  it.each([
    ['PORT', '80a'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'rif.example'],
    ['DATABASE_URL', 'mysql://localhost/rif'],
    ['RPC_URL', 'ws://localhost:8545'],
    ['CHAIN_ID', '1'],
    ['BANK_ADDRESS', '0x12'],
    ['SIGNER_URL', 'https://signer.example'],
    ['SIGNER_SECRET', 'short'],
    ['CLAIM_KEY_SOURCE', `0x${'11'.repeat(32)}`],
    ['SIGNER_LIMIT_USDT', '1000'],
    ['CONFIRMATIONS', '0'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10'],
    ['TRUST_PROXY', '10.0.0.7,proxy.internal'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['METRICS_TOKEN', 'short'],
    ['OUTGOING_LOCAL_HOSTS', 'http://hooks.local'],
    ['LOG_LEVEL', 'loud'],
    ['PUBLIC_URL', 'https://example.com/app'],
    ['SIGNER_URL', 'unix:signer.sock'],
    ['DATABASE_URL', 'postgres://rif_app:a/b@example.com/rif'],
    ['MIGRATION_DATABASE_URL', 'postgres://rif_owner:a%b@example.com/rif'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'smtps://rif:a%b@example.com'],
    ['VAPID_SUBJECT', 'operator@example.com'],
    ['VAPID_SUBJECT', 'mailto://operator@example.com'],
  ])('refuses %s=%s in one line that does not repeat the value', (name, value) => {
    const message = messageOf({ ...REMOTE, [name]: value })
    expect(message).toMatch(new RegExp(`^${name} must be `))
    expect(message).not.toContain('\n')
    if (/KEY|SECRET/.test(name)) expect(message).not.toContain(value)
  })

  it('says how a password is written in the address of the database and of the mail server', () => {
    expect(messageOf({ ...REMOTE, DATABASE_URL: 'postgres://rif_app:a#b@example.com/rif' })).toContain('%23')
    expect(messageOf({ ...REMOTE, SMTP_URL: 'smtps://rif:a#b@example.com' })).toContain('%23')
    const socket = 'postgres://rif_app:a%23b@%2Fvar%2Frun%2Fpostgresql/rif'
    expect(loadConfig({ ...REMOTE, DATABASE_URL: socket }).databaseUrl).toBe(socket)
  })

  it('reports all invalid settings at once', () => {
    expect(messageOf({ PORT: 'x', LOG_LEVEL: 'y' })).toMatch(/^PORT must be .*; LOG_LEVEL must be /)
  })

  it.each(Object.keys(REMOTE).filter((name) => name !== 'RPC_URL'))('requires %s with RPC_URL', (name) => {
    expect(messageOf({ ...REMOTE, [name]: '' })).toBe(`RPC_URL is set, so these must be too: ${name}`)
  })

  it('refuses addresses of a remote chain without RPC_URL', () => {
    expect(messageOf({ BANK_ADDRESS: REMOTE.BANK_ADDRESS })).toContain('only together with RPC_URL')
  })

  it('accepts the block of a new bank only beside the former ones', () => {
    const env = { ...REMOTE, BANK_START_BLOCK: '400000000' }
    expect(messageOf(env)).toBe('BANK_START_BLOCK can be set only together with FORMER_BANK_ADDRESSES')
    const former = { FORMER_BANK_ADDRESSES: '0x6666666666666666666666666666666666666666' }
    expect(loadConfig({ ...env, ...former }).remoteChain?.bankStartBlock).toBe(400_000_000n)
    expect(loadConfig({ ...REMOTE, ...former }).remoteChain?.bankStartBlock).toBe(300_000_000n)
  })

  it('refuses a block of a new bank before the first contract', () => {
    const former = { FORMER_BANK_ADDRESSES: '0x6666666666666666666666666666666666666666' }
    expect(messageOf({ ...REMOTE, ...former, BANK_START_BLOCK: '299999999' })).toBe(
      'BANK_START_BLOCK must not be below START_BLOCK, the block of the first contract',
    )
  })

  it.each([
    ['ROOT_ADDRESS', FIRST_DEV_ADDRESS],
    ['OWNER_ADDRESSES', FIRST_DEV_ADDRESS],
  ])('refuses a well-known development account as %s of a remote chain', (name, value) => {
    expect(messageOf({ ...REMOTE, [name]: value })).toMatch(/is a well-known development key/)
  })

  it.each([
    ['ROOT_ADDRESS', REMOTE.BANK_ADDRESS],
    ['OWNER_ADDRESSES', `0x${'7'.repeat(40)},${REMOTE.USDT_ADDRESS}`],
  ])('refuses a contract of the product as %s', (name, value) => {
    expect(messageOf({ ...REMOTE, [name]: value })).toMatch(/is a contract of the product/)
  })

  it.each([0, 4, 0xffff])('refuses address %i, which nobody owns, as the wallet of a person', (number) => {
    const nobody = `0x${number.toString(16).padStart(40, '0')}`
    expect(messageOf({ ...REMOTE, ROOT_ADDRESS: nobody })).toMatch(/ROOT_ADDRESS/)
    expect(messageOf({ ...REMOTE, OWNER_ADDRESSES: `0x${'7'.repeat(40)},${nobody}` })).toMatch(
      /OWNER_ADDRESSES/,
    )
    expect(messageOf({ ...REMOTE, SIGNER_APPROVERS: `Vera=${nobody}` })).toMatch(/SIGNER_APPROVERS/)
  })

  it.each(['QUOTE_SIGNER_KEY', 'CLAIM_SIGNER_KEY'])('accepts no key from %s', (name) => {
    const key = `0x${'11'.repeat(32)}`
    const message = messageOf({ ...REMOTE, [name]: key })
    expect(message).toContain(`${name} is no setting: \`rif sign\` holds the keys`)
    expect(message).not.toContain(key)
    expect(
      JSON.stringify(loadConfig(REMOTE), (_name, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).not.toMatch(/[0-9a-f]{64}/i)
  })

  it('needs a secret for a signer on a port', () => {
    const url = { SIGNER_URL: 'http://127.0.0.1:8090' }
    expect(messageOf({ ...REMOTE, ...url })).toContain('SIGNER_SECRET')
    expect(loadConfig({ ...REMOTE, ...url, SIGNER_SECRET: 'x'.repeat(32) }).signer.url).toBe(url.SIGNER_URL)
  })

  it('disables WalletConnect without a project id, and accepts its relay only with one', () => {
    const [id, relayUrl] = ['0123456789abcdef', 'wss://relay.example']
    expect(loadConfig(REMOTE).walletConnect).toBeUndefined()
    expect(messageOf({ ...REMOTE, WALLETCONNECT_RELAY_URL: relayUrl })).toContain('only together')
    expect(loadConfig({ ...REMOTE, WALLETCONNECT_PROJECT_ID: id }).walletConnect).toEqual({
      projectId: id,
      relayUrl: 'wss://relay.walletconnect.com',
    })
    const both = { WALLETCONNECT_PROJECT_ID: id, WALLETCONNECT_RELAY_URL: relayUrl }
    expect(loadConfig({ ...REMOTE, ...both }).walletConnect).toEqual({ projectId: id, relayUrl })
  })

  it('reads the country of requests only behind a proxy', () => {
    expect(loadConfig(REMOTE).countryHeader).toBeUndefined()
    expect(messageOf({ ...REMOTE, COUNTRY_HEADER: 'CF-IPCountry' })).toContain('needs TRUST_PROXY')
    const env = { ...REMOTE, TRUST_PROXY: 'true', COUNTRY_HEADER: 'CF-IPCountry' }
    expect(loadConfig(env).countryHeader).toBe('cf-ipcountry')
    expect(messageOf({ ...env, COUNTRY_HEADER: 'not a header' })).toContain('COUNTRY_HEADER')
  })

  it('takes proxies by their number or their addresses', () => {
    const proxies = (text: string) => loadConfig({ TRUST_PROXY: text }).trustProxy
    expect(loadConfig({}).trustProxy).toBeUndefined()
    expect([proxies('false'), proxies('0')]).toEqual([false, false])
    expect([proxies('true'), proxies('2')]).toEqual([1, 2])
    expect(proxies('10.0.0.7, 10.1.0.0/16,fd00::/8')).toEqual(['10.0.0.7', '10.1.0.0/16', 'fd00::/8'])
  })

  it('refuses to serve an https address while nobody has decided about proxies', () => {
    const refused = (env: object) => () => refuseUndecidedProxy(loadConfig({ ...env }))
    const https = { PUBLIC_URL: 'https://rif.example' }
    expect(refused(https)).toThrow(/^PUBLIC_URL is https, .* set TRUST_PROXY .*, or to false$/)
    for (const decided of ['false', '2', '10.0.0.7'])
      expect(refused({ ...https, TRUST_PROXY: decided })).not.toThrow()
    expect(refused({ PUBLIC_URL: 'http://rif.example' })).not.toThrow()
  })

  it('supports one chain', () => {
    expect(CHAIN_ID).toBe(42161)
  })
})

it('is documented in docs/operations/settings.md', async () => {
  const rows = Object.entries(SETTINGS).map(
    ([name, { fallback, about }]) => `| \`${name}\` | ${fallback} | ${about} |`,
  )
  const document = await readFile(new URL('../../../docs/operations/settings.md', import.meta.url), 'utf8')
  expect(document).toContain(['| setting | default | description |', '|---|---|---|', ...rows].join('\n'))
})

it.each(['METRICS_TOKEN', 'SIGNER_SECRET', 'ALARM_WEBHOOK_SECRET'] as const)(
  'states the length of %s, which is the shortest accepted one',
  (name) => {
    const { schema, about } = SETTINGS[name]
    const length = Number(/at least (\d+) characters/.exec(about)?.[1])
    expect(schema.safeParse('x'.repeat(length)).success).toBe(true)
    expect(schema.safeParse('x'.repeat(length - 1)).success).toBe(false)
  },
)

describe('the settings that hold a secret', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rif-settings-'))
  })
  afterAll(() => rm(dir, { recursive: true }))
  const fileWith = async (content: string) => {
    const path = join(dir, 'secret')
    await writeFile(path, content)
    return path
  }

  /** A value of every one, which is accepted. */
  const VALUES: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://rif_app:secret@db.internal/rif',
    MIGRATION_DATABASE_URL: 'postgres://rif_owner:secret@db.internal/rif',
    DATABASE_REPLICA_URL: 'postgres://rif_app:secret@replica.internal/rif',
    RPC_URL: 'https://node.example/v2/secret',
    SIGNER_SECRET: 's'.repeat(32),
    SIGNER_DATABASE_URL: 'postgres://rif_read:secret@db.internal/rif',
    SIGNER_RPC_URL: 'https://node.example/v2/secret',
    SOLVENCY_SALT_KEY: '1'.repeat(64),
    METRICS_TOKEN: 's'.repeat(16),
    WEBHOOK_KEY: '2'.repeat(64),
    PRICE_FEEDS: `exchange=whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    ALARM_WEBHOOK_URL: 'https://hooks.example/secret',
    ALARM_WEBHOOK_SECRET: 's'.repeat(32),
    SMTP_URL: 'smtps://rif:secret@mail.example',
    NOTICES_KEY: '3'.repeat(64),
    VAPID_PRIVATE_KEY: 'k'.repeat(43),
  }

  it('are these, and the document says so of each', () => {
    expect(SECRET_SETTINGS).toEqual(Object.keys(VALUES))
    const said = Object.entries(SETTINGS).filter(([, { about }]) => /Secret\b/.test(about))
    expect(said.map(([name]) => name)).toEqual(SECRET_SETTINGS)
  })

  it.each(Object.entries(VALUES))('are read from a file too: %s', async (name, value) => {
    const path = await fileWith(`${value}\n`)
    expect(parseSettings({ [`${name}_FILE`]: path })).toEqual(parseSettings({ [name]: value }))
    expect(messageOf({ [`${name}_FILE`]: path, [name]: value })).toBe(
      `only one of ${name} and ${name}_FILE can be set`,
    )
  })

  it('report a file that cannot be read or is empty, and no content', async () => {
    const missing = join(dir, 'missing')
    expect(messageOf({ SIGNER_SECRET_FILE: missing })).toBe(
      'the file of SIGNER_SECRET_FILE cannot be read: ENOENT',
    )
    expect(messageOf({ SIGNER_SECRET_FILE: await fileWith('\n') })).toBe(
      'the file of SIGNER_SECRET_FILE is empty',
    )
    expect(messageOf({ SIGNER_SECRET_FILE: await fileWith('short') })).not.toContain('short')
  })

  it('are the only ones that a file may hold', async () => {
    expect(messageOf({ PORT_FILE: await fileWith('8080') })).toBe(
      'PORT_FILE is no setting: PORT is not secret',
    )
  })
})

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}
