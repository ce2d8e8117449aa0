import { MARGIN, openPages, type PdfPages, WIDTH } from './pdf-page.ts'
import { type PrintedStatement, type PrintedTable, tablesOf } from './statement-sections.ts'
import { STATEMENT_TEXTS } from './statement-texts.ts'

const SIZE = 7
const ROW_HEIGHT = 12
const GAP = 5
const ASCII = /^[\x20-\x7e]*$/

/**
 * Typesets a statement as A4 pages in its language, with fonts embedded that hold only the characters in use. The same statement
 * gives the same bytes. Takes about a second for 10,000 entries: call it through `printStatement`.
 */
export async function statementPdf(printed: PrintedStatement): Promise<Uint8Array> {
  const { locale, kind } = printed
  const texts = STATEMENT_TEXTS[locale]
  const tables = tablesOf(printed)
  const title = kind === 'journal' ? texts.account : texts[kind]
  const characters = new Set<string>([...Object.values<string>({ ...texts }), '–·'])
  for (const { title: heading, columns, rows, sums = [] } of tables) {
    for (const text of [heading, ...columns.map((column) => column.heading)]) characters.add(text)
    for (const row of [...rows, ...sums]) for (const cell of row) if (!ASCII.test(cell)) characters.add(cell)
  }
  const pages = await openPages(locale, characters, {
    title: `${title} ${printed.from} ${printed.to}`,
    madeAt: new Date(printed.madeAt),
  })
  setHead(pages, printed, title)
  for (const table of tables) setTable(pages, table, texts.nothing)
  if (kind === 'account' || kind === 'customer') note(pages, texts.agrees)
  return pages.finish(`RIFund Portfolio · ${title} · ${printed.from} – ${printed.to}`)
}

function setHead(pages: PdfPages, printed: PrintedStatement, title: string): void {
  const texts = STATEMENT_TEXTS[printed.locale]
  pages.text('RIFund Portfolio', { size: 9, isMuted: true })
  pages.down(16)
  pages.text(title, { size: 18 })
  pages.down(30)
  const range = printed.kind === 'trial_balance' ? printed.to : `${printed.from} – ${printed.to}`
  for (const [label, value] of [
    [texts.range, range],
    ...(printed.address === null ? [] : [[texts.member, printed.address] as const]),
    [texts.madeAt, `${printed.madeAt.slice(0, 16).replace('T', ' ')} UTC`],
    [texts.number, printed.statementId],
  ] as const) {
    pages.text(label, { size: 8, isMuted: true })
    pages.text(value, { size: 8, x: MARGIN + 96 })
    pages.down(13)
  }
  pages.down(6)
  if (printed.kind === 'tax') {
    note(pages, texts.method)
    note(pages, texts.advice)
  }
}

/** Typesets a note over as many lines as it needs. */
function note(pages: PdfPages, text: string): void {
  const isLatin = ASCII.test(text)
  const most = isLatin ? 130 : 66
  const words = isLatin ? text.split(/(?<= )/) : [...text]
  let line = ''
  const lines: string[] = []
  for (const word of words) {
    if (line.length + word.length > most) {
      lines.push(line)
      line = ''
    }
    line += word
  }
  for (const part of [...lines, line]) {
    pages.needs(ROW_HEIGHT)
    pages.text(part.trimEnd(), { size: 7.5, isMuted: true })
    pages.down(11)
  }
  pages.down(4)
}

function setTable(pages: PdfPages, { title, columns, rows, sums = [] }: PrintedTable, nothing: string): void {
  const whole = columns.reduce((sum, column) => sum + column.share, 0)
  const room = WIDTH - GAP * (columns.length - 1)
  let at = MARGIN
  const places = columns.map(({ share, align }) => {
    const width = (room * share) / whole
    const place = { x: at, width, align }
    at += width + GAP
    return place
  })
  const setRow = (cells: readonly string[], isMuted = false) => {
    for (const [index, cell] of cells.entries())
      if (cell !== '') pages.text(cell, { ...places[index]!, size: SIZE, isMuted })
    pages.down(ROW_HEIGHT)
  }
  const setHeadings = () => {
    setRow(
      columns.map((column) => column.heading),
      true,
    )
    pages.rule()
    pages.down(3)
  }
  pages.needs(5 * ROW_HEIGHT)
  pages.down(8)
  pages.text(title, { size: 11 })
  pages.down(18)
  setHeadings()
  if (rows.length === 0) setRow([nothing])
  for (const row of rows) {
    if (pages.needs(ROW_HEIGHT)) setHeadings()
    setRow(row)
  }
  if (sums.length > 0) {
    pages.needs((sums.length + 1) * ROW_HEIGHT)
    pages.rule()
    pages.down(3)
    for (const row of sums) setRow(row)
  }
}
