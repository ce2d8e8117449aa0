import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig, refuseUndecidedProxy } from './config.ts'
import { StartError } from './lib/start-error.ts'
import { CHAIN_ID, parseSettings, SECRET_SETTINGS, SETTINGS } from './settings.ts'

const addressOf = (digit: number) => `0x${`${digit}`.repeat(40)}`
const CONTRACTS = {
  bank: addressOf(1),
  transfer: addressOf(2),
  usdt: addressOf(3),
  usdt_decimals: 6,
  amc: addressOf(4),
  start_block: 300_000_000,
}
const OPERATOR = { name: 'RIF Test Ltd', address: 'Street 1, City', law: 'Singapore', venue: 'Singapore' }
const REMOTE = {
  RPC_URL: 'https://node.example/v2/secret',
  CONTRACTS: JSON.stringify(CONTRACTS),
  ROOT_ADDRESS: addressOf(5),
  OPERATOR: JSON.stringify(OPERATOR),
}
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
/** A value of each setting in JSON, with all of its parts, of which those that may be left out come last. */
const JSON_VALUES = {
  CONTRACTS: { ...CONTRACTS, former_banks: [addressOf(6), addressOf(7)], bank_start_block: 400_000_000 },
  SIGNER_LIMITS: {
    usdt: { hour: 100, day: 1_000, member: 100 },
    amc: { hour: 100, day: 1_000, member: 100 },
    quotes: 5,
    consent_above: 10,
    review_above: 100,
    several_above: 1_000,
  },
  WALLETCONNECT: { project_id: '0123456789abcdef', relay_url: 'wss://relay.example' },
  RATE_LIMITS: { address: 100, member: 50, sign_in: 5 },
  PRICES: {
    feeds: [{ name: 'exchange', secret: WEBHOOK_SECRET }],
    oracles: [{ asset: 'AMC', address: addressOf(1), max_age_seconds: 3_600 }],
    sequencer: addressOf(2),
    jump_percent: 5,
  },
  ALARM_WEBHOOK: { url: 'https://hooks.example/secret', secret: 's'.repeat(32) },
  MAIL: {
    server: 'smtps://rif:secret@mail.example',
    alarms: { from: 'rif@rif.example', to: ['vera@rif.example', 'otto@rif.example'] },
    notices: { from: 'notices@rif.example' },
  },
  VAPID: { private_key: 'k'.repeat(43), subject: 'mailto:help@rif.example' },
  OPERATOR: { ...OPERATOR, contact: 'help@rif.example' },
}
const JSON_ENTRIES = Object.entries<object>(JSON_VALUES)
const JSON_TEXTS = Object.fromEntries(JSON_ENTRIES.map(([name, value]) => [name, JSON.stringify(value)]))
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
  'unix:/run/rif.sock',
  'keystore:/etc/rif/key.json',
  'info',
  '3',
  '100',
  ...Object.values(JSON_TEXTS),
]

describe('loadConfig', () => {
  it.each(Object.keys(SETTINGS))('reads %s without white space around it', (name) => {
    const value = VALUES.find((item) => isAccepted(name, item))
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

  it.each(['name', 'address', 'law', 'venue'] as const)(
    'needs the %s of the operator, in one line without the braces of figures',
    (part) => {
      const { [part]: _, ...others } = OPERATOR
      for (const env of [{}, REMOTE])
        expect(messageOf({ ...env, OPERATOR: JSON.stringify(others) })).toBe(`OPERATOR.${part} is missing`)
      for (const wrong of ['{fee}', 'two\nlines', 'x'])
        expect(messageOf({ ...REMOTE, OPERATOR: JSON.stringify({ ...OPERATOR, [part]: wrong }) })).toBe(
          `OPERATOR.${part} must be one line of 2 to 200 characters, without braces`,
        )
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
    expect(loadConfig(REMOTE).supportContact).toBeUndefined()
    expect(loadConfig({ ...REMOTE, ...JSON_TEXTS, NOTICES_KEY: '3'.repeat(64) })).toMatchObject({
      operator: OPERATOR,
      supportContact: 'help@rif.example',
    })
  })

  it('reads every part of the settings in JSON', () => {
    const config = loadConfig({ ...REMOTE, ...JSON_TEXTS, NOTICES_KEY: '3'.repeat(64) })
    expect(config).toMatchObject({
      remoteChain: {
        startBlock: 300_000_000n,
        bankStartBlock: 400_000_000n,
        contracts: {
          bank: addressOf(1),
          formerBanks: [addressOf(6), addressOf(7)],
          transfer: addressOf(2),
          usdt: addressOf(3),
          amc: addressOf(4),
        },
      },
      rateLimits: { perIp: 100, perMember: 50, signInPerIp: 5 },
      prices: {
        feeds: JSON_VALUES.PRICES.feeds,
        oracles: [{ asset: 'AMC', address: addressOf(1), maxAgeMs: 3_600_000 }],
        sequencer: addressOf(2),
        jumpPpm: 50_000,
      },
      alarms: {
        webhook: JSON_VALUES.ALARM_WEBHOOK,
        email: {
          smtpUrl: JSON_VALUES.MAIL.server,
          from: 'rif@rif.example',
          to: ['vera@rif.example', 'otto@rif.example'],
        },
      },
      notices: {
        mail: { smtpUrl: JSON_VALUES.MAIL.server, from: 'notices@rif.example' },
        push: { privateKey: 'k'.repeat(43), subject: 'mailto:help@rif.example' },
      },
    })
    expect(parseSettings(JSON_TEXTS).CONTRACTS?.usdtDecimals).toBe(6)
  })

  it('has these values for the parts that are left out', () => {
    const config = loadConfig({ RATE_LIMITS: '{"member": 5}', PRICES: '{}' })
    expect(config.rateLimits).toEqual({ perIp: 600, perMember: 5, signInPerIp: 30 })
    expect(config.prices).toEqual({ feeds: [], oracles: [], sequencer: null, jumpPpm: 100_000 })
    const oracle = { asset: 'RIF', address: addressOf(1) }
    expect(loadConfig({ PRICES: JSON.stringify({ oracles: [oracle] }) }).prices.oracles[0]?.maxAgeMs).toBe(
      90_000_000,
    )
    expect(config.alarms).toEqual({})
    expect(config.notices).toEqual({})
  })

  it('leaves the demonstration team out, or gives it days of history', () => {
    const demo = (days?: string) => {
      const { demoTeam, demoDays } = loadConfig({ DEMO_DAYS: days })
      return [demoTeam, demoDays]
    }
    expect([demo(), demo('0'), demo('90'), demo('none')]).toEqual([
      [true, 0],
      [true, 0],
      [true, 90],
      [false, 0],
    ])
    expect(messageOf({ DEMO_DAYS: '366' })).toBe('DEMO_DAYS must be none or a whole number from 0 to 365')
  })

  it.each(JSON_ENTRIES)('names the part of %s that is wrong, and repeats no value', (name, value) => {
    const report = (changed: unknown) => messageOf({ [name]: JSON.stringify(changed) })
    expect(messageOf({ [name]: '/etc/rif/secret.json' })).toBe(
      `${name} must be an object in JSON; ${name}_FILE takes the name of its file`,
    )
    expect(report([value])).toBe(`${name} must be an object in braces`)
    expect(report({ ...value, no_such: 'secret' })).toBe(`${name}.no_such is no part of this setting`)
    // A value in the place of a name.
    expect(report({ ...value, [WEBHOOK_SECRET]: 1 })).toBe(`${name} has an unknown part`)
    for (const part of Object.keys(value))
      for (const wrong of [null, true, '{secret value}', -1, [{ secret: 1 }]]) {
        const message = report({ ...value, [part]: wrong })
        expect(message).toMatch(new RegExp(`^${name}\\.${part}\\b.* (must be|is missing)`))
        expect(message).not.toMatch(/secret value|\n|Invalid input/)
      }
  })

  it.each([
    ['CONTRACTS', ['former_banks'], []],
    ['CONTRACTS', ['former_banks'], [addressOf(6), addressOf(6)]],
    ['CONTRACTS', ['former_banks', 1], '0x12'],
    ['CONTRACTS', ['usdt_decimals'], 8],
    ['SIGNER_LIMITS', ['amc'], { hour: 1, day: 1 }],
    ['SIGNER_LIMITS', ['amc', 'day'], 0.5],
    ['PRICES', ['feeds', 0, 'secret'], 'whsec_short'],
    ['PRICES', ['feeds', 0, 'name'], 'Exchange'],
    ['PRICES', ['feeds'], [JSON_VALUES.PRICES.feeds[0], JSON_VALUES.PRICES.feeds[0]]],
    ['PRICES', ['oracles'], [JSON_VALUES.PRICES.oracles[0], JSON_VALUES.PRICES.oracles[0]]],
    ['PRICES', ['oracles', 0, 'asset'], 'USDT'],
    ['PRICES', ['jump_percent'], 51],
    ['MAIL', ['server'], 'mail.example.com'],
    ['MAIL', ['server'], 'smtps://rif:a%b@example.com'],
    ['MAIL', ['alarms', 'to', 1], 'otto'],
    ['MAIL', ['alarms', 'to'], []],
    ['VAPID', ['subject'], 'operator@example.com'],
    ['VAPID', ['subject'], 'mailto://operator@example.com'],
    ['ALARM_WEBHOOK', ['secret'], 'short'],
    ['RATE_LIMITS', ['sign_in'], 0],
    ['WALLETCONNECT', ['relay_url'], 'https://relay.example'],
    ['OPERATOR', ['contact'], 'nobody'],
  ] as const)('refuses another value of %s at %j', (name, path, wrong) => {
    const value = structuredClone(JSON_VALUES[name]) as never
    const parent = path
      .slice(0, -1)
      .reduce<Record<PropertyKey, unknown>>((at, key) => at[key] as never, value)
    parent[path.at(-1)!] = wrong
    const part = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
    const message = messageOf({ [name]: JSON.stringify(value) })
    expect(message).toMatch(/^\S+ (must be|is missing)[^\n;]*$/)
    expect(message.startsWith(`${name}${part}`)).toBe(true)
    if (typeof wrong === 'string') expect(message).not.toContain(wrong)
  })

  it('needs a receiver of mails, and the key of the addresses of members on a real chain', () => {
    const { server, notices } = JSON_VALUES.MAIL
    expect(messageOf({ MAIL: JSON.stringify({ server }) })).toBe('MAIL must be given alarms, notices or both')
    const MAIL = JSON.stringify({ server, notices })
    expect(messageOf({ ...REMOTE, MAIL })).toBe('MAIL.notices needs NOTICES_KEY')
    expect(loadConfig({ MAIL }).notices.mail?.from).toBe(notices.from)
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
    ['SIGNER_URL', 'https://signer.example'],
    ['SIGNER_SECRET', 'short'],
    ['CLAIM_KEY_SOURCE', `0x${'11'.repeat(32)}`],
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
  ])('refuses %s=%s in one line that does not repeat the value', (name, value) => {
    const message = messageOf({ ...REMOTE, [name]: value })
    expect(message).toMatch(new RegExp(`^${name} must be `))
    expect(message).not.toContain('\n')
    if (/KEY|SECRET/.test(name)) expect(message).not.toContain(value)
  })

  it('says how a password is written in the address of the database and of the mail server', () => {
    expect(messageOf({ ...REMOTE, DATABASE_URL: 'postgres://rif_app:a#b@example.com/rif' })).toContain('%23')
    expect(
      messageOf({ MAIL: '{"server":"smtps://rif:a#b@example.com","notices":{"from":"a@b.example"}}' }),
    ).toContain('%23')
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
    expect(messageOf({ CONTRACTS: REMOTE.CONTRACTS })).toContain('only together with RPC_URL')
  })

  it('accepts the block of a new bank only beside the former ones', () => {
    const env = (parts: object) => ({ ...REMOTE, CONTRACTS: JSON.stringify({ ...CONTRACTS, ...parts }) })
    const [bank_start_block, former_banks] = [400_000_000, [addressOf(6)]]
    expect(messageOf(env({ bank_start_block }))).toBe(
      'CONTRACTS.bank_start_block must be left out without former_banks',
    )
    expect(loadConfig(env({ bank_start_block, former_banks })).remoteChain?.bankStartBlock).toBe(400_000_000n)
    expect(loadConfig(env({ former_banks })).remoteChain?.bankStartBlock).toBe(300_000_000n)
    expect(messageOf(env({ bank_start_block: 299_999_999, former_banks }))).toBe(
      'CONTRACTS.bank_start_block must be at least start_block, the block of the first contract',
    )
  })

  it.each([
    ['ROOT_ADDRESS', FIRST_DEV_ADDRESS],
    ['OWNER_ADDRESSES', FIRST_DEV_ADDRESS],
  ])('refuses a well-known development account as %s of a remote chain', (name, value) => {
    expect(messageOf({ ...REMOTE, [name]: value })).toMatch(/is a well-known development key/)
  })

  it.each([
    ['ROOT_ADDRESS', CONTRACTS.bank],
    ['OWNER_ADDRESSES', `0x${'7'.repeat(40)},${CONTRACTS.usdt}`],
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

  it('disables WalletConnect without a project id, and has a relay for one', () => {
    const { project_id: projectId, relay_url: relayUrl } = JSON_VALUES.WALLETCONNECT
    expect(loadConfig(REMOTE).walletConnect).toBeUndefined()
    expect(loadConfig({ WALLETCONNECT: JSON.stringify({ project_id: projectId }) }).walletConnect).toEqual({
      projectId,
      relayUrl: 'wss://relay.walletconnect.com',
    })
    expect(messageOf({ WALLETCONNECT: JSON.stringify({ relay_url: relayUrl }) })).toBe(
      'WALLETCONNECT.project_id is missing',
    )
    expect(loadConfig({ WALLETCONNECT: JSON_TEXTS.WALLETCONNECT }).walletConnect).toEqual({
      projectId,
      relayUrl,
    })
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

it('has at most 50 settings', () => {
  expect(Object.keys(SETTINGS).length).toBeLessThanOrEqual(50)
})

it('shows the settings in JSON in docs/operations/settings.md with values that are accepted', async () => {
  const document = await readFile(new URL('../../../docs/operations/settings.md', import.meta.url), 'utf8')
  const shown = [...document.matchAll(/^`([A-Z_]+)`[^`]*```json\n([^`]*)```/gm)]
  expect(shown.map(([, name]) => name).sort()).toEqual(Object.keys(JSON_VALUES).sort())
  for (const [, name, text] of shown) {
    // An example says of an address or a key only how it begins.
    const whole = text!
      .replaceAll('"whsec_..."', JSON.stringify(WEBHOOK_SECRET))
      .replaceAll('"..."', JSON.stringify('k'.repeat(43)))
    let digit = 0
    const value = JSON.parse(whole.replaceAll('0x...', () => addressOf(++digit)))
    expect(Object.keys(parseSettings({ [name!]: JSON.stringify(value) }))).toEqual([name])
    expect(Object.keys(value).sort()).toEqual(Object.keys(JSON_VALUES[name as 'MAIL']).sort())
  }
})

it.each(['METRICS_TOKEN', 'SIGNER_SECRET'] as const)(
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
    PRICES: JSON_TEXTS.PRICES!,
    ALARM_WEBHOOK: JSON_TEXTS.ALARM_WEBHOOK!,
    MAIL: JSON_TEXTS.MAIL!,
    NOTICES_KEY: '3'.repeat(64),
    VAPID: JSON_TEXTS.VAPID!,
  }

  it('are these, and the document says so of each', () => {
    expect(SECRET_SETTINGS).toEqual(Object.keys(VALUES))
    const said = Object.entries(SETTINGS).filter(([, { about }]) => /Secret\b/.test(about))
    expect(said.map(([name]) => name)).toEqual(SECRET_SETTINGS)
  })

  it.each(Object.entries({ ...VALUES, ...JSON_TEXTS }))(
    'are read from a file too, as those in JSON: %s',
    async (name, value) => {
      const path = await fileWith(`${value}\n`)
      expect(parseSettings({ [`${name}_FILE`]: path })).toEqual(parseSettings({ [name]: value }))
      expect(messageOf({ [`${name}_FILE`]: path, [name]: value })).toBe(
        `only one of ${name} and ${name}_FILE can be set`,
      )
    },
  )

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

  it('and those in JSON are the only ones that a file may hold', async () => {
    expect(messageOf({ PORT_FILE: await fileWith('8080') })).toBe(
      'PORT_FILE is no setting: PORT is neither secret nor JSON',
    )
  })
})

function isAccepted(name: string, value: string): boolean {
  try {
    return name in parseSettings({ [name]: value })
  } catch {
    return false
  }
}

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}
