interface Usage {
  readonly about: string
  /** The forms of its arguments; none for a command without arguments. */
  readonly forms?: readonly string[]
}

/** The commands of `rif`, in the order of docs/operations/settings.md. */
const USAGES: Readonly<Record<string, Usage>> = {
  start: { about: 'everything on this machine: database, chain, API, app, worker, indexer, signer' },
  history: { about: 'generates the history of the demonstration in a new DATA_DIR; start does so first' },
  serve: { about: 'the API and the app' },
  worker: { about: 'standing work' },
  index: { about: 'follows the chain' },
  sign: {
    about:
      'holds the claim and quote keys, and signs what the database holds; or prints the addresses of its keys',
    forms: ['', '--addresses'],
  },
  keystore: { about: 'makes a key in an encrypted file, for sign', forms: ['FILE'] },
  migrate: {
    about: 'brings the database to this version; refused while the product is connected',
    forms: ['[--while-connected]'],
  },
  distribute: { about: 'spreads a migrated database over the machines of its Citus cluster' },
  audit: { about: 'recomputes the books and prints each difference' },
  alarm: { about: 'sends a test alarm to every receiver of alarms', forms: ['test'] },
  person: {
    about:
      'the data about a member: exports it, erases it, lists the requests to erase; the persons with a role: lists them, appoints an owner while fewer than two are',
    forms: [
      'export ADDRESS FILE.jsonl',
      'erase ADDRESS [--dry-run] [--yes]',
      'requests',
      'list',
      'appoint ADDRESS NAME',
    ],
  },
  earnings: {
    about: 'computes the published earnings of members again from the ledger',
    forms: ['[--date YYYY-MM-DD]'],
  },
  recover: {
    about: 'finds booked events that the chain does not have any more, for two admins to decide on',
  },
  deploy: {
    about:
      'deploys the contracts on a real chain with the key in DEPLOYER_KEY, over DEPLOY_RPC_URL, checks their state, and writes the file of CONTRACTS',
    forms: ['DEPLOYMENT.json'],
  },
  deposit: {
    about: 'prints the calls that pay revenue into the bank, for any wallet to send',
    forms: ['USDT|AMC AMOUNT LABEL PAPER'],
  },
  settle: { about: 'settles a day that has ended', forms: ['--day YYYY-MM-DD'] },
  simulate: {
    about: 'runs a scenario on a database of its own, or compares two plans over one',
    forms: ['SCENARIO.jsonl [--plan PLAN.json] [--compare PLAN.json] [--out FILE] [--database-url URL]'],
  },
  'compare-plan': {
    about: 'works out settled days of the books under another plan',
    forms: ['PLAN.json --from YYYY-MM-DD --to YYYY-MM-DD'],
  },
}

const NAME_WIDTH = Math.max(...Object.keys(USAGES).map((name) => name.length))

/** The list of all commands. */
export const COMMAND_LIST = [
  'Usage: rif COMMAND',
  '',
  ...Object.entries(USAGES).map(([name, { about }]) => `  ${name.padEnd(NAME_WIDTH)}  ${about}`),
  '',
  'rif COMMAND --help shows the arguments of a command.',
  'Settings are environment variables: see docs/operations/settings.md',
].join('\n')

/** Returns how a command is called, a line for each form of its arguments. */
export function usageOf(name: string): string {
  const { forms = [''] } = USAGES[name]!
  return forms
    .map((form, index) => `${index === 0 ? 'Usage:' : '      '} rif ${name} ${form}`.trimEnd())
    .join('\n')
}

/** Returns the help for a command, or the list of commands; undefined when the arguments ask for no help. */
export function helpFor([name = '', ...args]: readonly string[]): string | undefined {
  if (name === '--help' || name === '-h' || name === 'help') return COMMAND_LIST
  const usage = USAGES[name]
  if (usage === undefined || !args.some((arg) => arg === '--help' || arg === '-h')) return undefined
  return `${usageOf(name)}\n\n${usage.about}`
}
