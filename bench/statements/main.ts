import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { type Floor, markdownTable, type Row, runBenchmark } from '../kit/report.ts'
import { median, medianRatio } from '../kit/rounds.ts'
import { FIRST_DAY, fillBooks, LAST_DAY } from './books.ts'

const MAX_CSV_S = 30
const MAX_CSV_MB = 512
const MAX_PDF_S = 5
const MAX_GROWTH = 12
const PDF_ENTRIES = 10_000
const entries = Number(process.env.BENCH_ENTRIES ?? 1_000_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const run = promisify(execFile)

interface Made {
  readonly seconds: number
  /** Memory of the whole process before the request, and its peak. */
  readonly idleMb: number
  readonly memoryMb: number
  readonly bytes: number
}

/** The documents to make, by the member whose books they contain. */
const FILES = {
  csv: { memberId: 1, entries, kind: 'account', format: 'csv', from: FIRST_DAY, to: LAST_DAY },
  tenth: {
    memberId: 2,
    entries: entries / 10,
    kind: 'account',
    format: 'csv',
    from: FIRST_DAY,
    to: LAST_DAY,
  },
  tax: { memberId: 1, entries, kind: 'tax', format: 'csv', from: '2026-01-01', to: '2026-12-31' },
  pdf: { memberId: 3, entries: PDF_ENTRIES, kind: 'account', format: 'pdf', from: FIRST_DAY, to: LAST_DAY },
} as const
type FileName = keyof typeof FILES

// `npm run bench -- statements`: files of 1,000,000 and 100,000 entries, each made by a separate process and
// measured alternately with PostgreSQL's own CSV export of the same rows and balances; a tax file of
// 1,000,000 entries; and a PDF of 10,000.
await runBenchmark('Statements', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir: folder, fast: true, settings: { max_wal_size: '4GB' } })
  const url = server.adminUrl
  const database = createDatabase({ url, max: 4, applicationName: 'bench-statements' })
  try {
    await migrateSimulation(url)
    await fillBooks(database, [FILES.csv, FILES.tenth, FILES.pdf])
    return report(await measure(url, (memberId) => copied(database, memberId)))
  } finally {
    await database.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

type Measured = Record<FileName, Made[]> & { floor: number[] }

async function measure(url: string, floor: (memberId: number) => Promise<number>): Promise<Measured> {
  const measured: Measured = { csv: [], tenth: [], tax: [], pdf: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    measured.floor.push(await floor(FILES.csv.memberId))
    for (const name of Object.keys(FILES) as FileName[]) {
      measured[name].push(await made(url, name))
      const { seconds, idleMb, memoryMb } = measured[name].at(-1)!
      process.stderr.write(
        `round ${round + 1}: ${name} ${seconds.toFixed(1)} s, ${idleMb.toFixed(0)} to ${memoryMb.toFixed(0)} MB\n`,
      )
    }
  }
  return measured
}

/** Makes a file in a separate process. */
async function made(url: string, name: FileName): Promise<Made> {
  const { memberId, kind, format, from, to } = FILES[name]
  const program = fileURLToPath(new URL('./make.mjs', import.meta.url))
  const { stdout } = await run(process.execPath, [program, url, `${memberId}`, kind, format, from, to])
  return JSON.parse(stdout) as Made
}

/** Exports the same rows with running balances from PostgreSQL as CSV. Returns the duration in seconds. */
async function copied({ pool }: ReturnType<typeof createDatabase>, memberId: number): Promise<number> {
  const begun = performance.now()
  await pool.query(`
    copy (
      select 'entry', t.posted_at, p.accounting_day, p.seq || '.' || p.line, p.kind, p.source, '', t.cause_type || '/' || t.cause_id,
        p.destination, p.asset, p.amount / 1000000.0,
        sum(p.amount) over (partition by p.asset, p.destination order by p.seq, p.line) / 1000000.0
      from ledger_postings as p join ledger_transactions as t on t.member_id = p.member_id and t.seq = p.seq
      where p.member_id = ${memberId} order by p.seq, p.line
    ) to '/dev/null' csv`)
  return (performance.now() - begun) / 1_000
}

function report({ csv, tenth, tax, pdf, floor }: Measured): Floor[] {
  const secondsOf = (files: readonly Made[]) => files.map(({ seconds }) => seconds)
  const memoryOf = (files: readonly Made[]) => Math.max(...files.map(({ memoryMb }) => memoryMb))
  const growth = medianRatio(secondsOf(csv), secondsOf(tenth))
  const row = (what: string, files: readonly Made[], seconds: string, memory = ''): Row => [
    what,
    median(secondsOf(files)).toFixed(2),
    seconds,
    memoryOf(files).toFixed(0),
    memory,
    (files[0]!.bytes / 1e6).toFixed(1),
  ]
  const count = entries.toLocaleString('en')
  console.log(
    `${markdownTable(
      ['file', 's', 'at most', 'peak memory, MB', 'at most', 'size, MB'],
      [
        row(`CSV of ${count} entries`, csv, `${MAX_CSV_S}`, `${MAX_CSV_MB}`),
        row(`CSV of ${(entries / 10).toLocaleString('en')} entries`, tenth, ''),
        row(`tax file of ${count} entries`, tax, ''),
        row(`PDF of ${PDF_ENTRIES.toLocaleString('en')} entries`, pdf, `${MAX_PDF_S}`),
        [`PostgreSQL's own CSV of ${count} rows`, median(floor).toFixed(2), '', '', '', ''],
      ],
    )}\n`,
  )
  console.log(`CSV to PostgreSQL's own: ${medianRatio(secondsOf(csv), floor).toFixed(2)}`)
  console.log(`CSV to that of a tenth of the entries: ${growth.toFixed(1)}\n`)
  return [
    { name: 'time allowed for the CSV to its time', value: MAX_CSV_S / median(secondsOf(csv)), atLeast: 1 },
    { name: 'memory allowed for the CSV to its memory', value: MAX_CSV_MB / memoryOf(csv), atLeast: 1 },
    { name: 'time allowed for the PDF to its time', value: MAX_PDF_S / median(secondsOf(pdf)), atLeast: 1 },
    { name: 'growth allowed from a tenth to its growth', value: MAX_GROWTH / growth, atLeast: 1 },
  ]
}
