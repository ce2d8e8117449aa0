import type { FundBill, FundBillLine, Locale } from '@rif/api-schema'
import PDFDocument from 'pdfkit'
import { fontsFor, runsOf } from '../../../lib/pdf-fonts.ts'
import { BILL_TEXTS, type BillTexts } from './bill-texts.ts'

const MARGIN = 48
const WIDTH = 595.28 - 2 * MARGIN
const BOTTOM = 841.89 - MARGIN - 32
const NAVY = '#061237'
const GREY = '#5b6478'
const LINE = '#d5d9e2'
const NO_VALUE = '–'
const ROW_HEIGHT = 18
/** The height of a heading, four rows of holdings, three of fees, profit, and the space below. */
const BLOCK_HEIGHT = 11 * ROW_HEIGHT

/** A page being typeset, and the position of the next line. */
interface Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly locale: Locale
  y: number
}

type Cell = {
  readonly text: string
  readonly align: 'left' | 'right'
  readonly x: number
  readonly width: number
}

/**
 * Typesets a bill as an A4 document in a language, with fonts embedded that hold only the glyphs in use. The same bill gives the
 * same bytes. Takes about 10 ms of computing: call it through `printBill`.
 */
export async function billPdf({
  bill,
  locale,
  address,
}: {
  bill: FundBill
  locale: Locale
  address: string
}): Promise<Uint8Array> {
  const texts = BILL_TEXTS[locale]
  const doc = new PDFDocument({
    // Every piece of text sets its font, so that pdfkit does not read its default one.
    size: 'A4',
    font: '',
    margin: 0,
    lang: locale,
    bufferPages: true,
    info: { Title: `${texts.title} ${bill.month}`, CreationDate: new Date(bill.made_at) },
  })
  const chunks: Buffer[] = []
  const finished = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const ownTexts = [...Object.values<string>({ ...texts }), address, NO_VALUE]
  const fonts = await fontsFor(locale, [...ownTexts, ...bill.lines.map((line) => line.product_name)])
  for (const [script, font] of fonts) doc.registerFont(script, font)
  const sheet: Sheet = { doc, locale, y: MARGIN }
  setHead(sheet, bill, { texts, address })
  setTotals(sheet, bill, texts)
  for (const line of bill.lines) setProduct(sheet, line, texts)
  setFoot(sheet, bill, texts)
  doc.end()
  await finished
  return Buffer.concat(chunks)
}

function setHead(
  sheet: Sheet,
  bill: FundBill,
  { texts, address }: { texts: BillTexts; address: string },
): void {
  write(sheet, 'RIFund Portfolio', { size: 10, color: GREY })
  sheet.y += 18
  write(sheet, texts.title, { size: 20 })
  sheet.y += 36
  const made = bill.made_at.slice(0, 16).replace('T', ' ')
  for (const [label, value] of [
    [texts.month, bill.month],
    [texts.member, address],
    [texts.madeAt, `${made} UTC`],
  ] as const) {
    write(sheet, label, { size: 9, color: GREY })
    write(sheet, value, { size: 9, x: MARGIN + 96 })
    sheet.y += 15
  }
  write(sheet, texts.amounts, { size: 9, color: GREY })
  sheet.y += 27
}

function setTotals(sheet: Sheet, bill: FundBill, texts: BillTexts): void {
  setHeading(sheet, texts.total)
  for (const [label, value] of [
    [texts.opening, bill.opening_value],
    [texts.purchased, bill.purchased_value],
    [texts.redeemed, bill.redeemed_value],
    [texts.closing, bill.closing_value],
    [texts.subscriptionFees, bill.subscription_fees],
    [texts.redemptionFees, bill.redemption_fees],
    [texts.managementFees, bill.management_fees],
  ] as const) {
    setRow(sheet, [label, '', '', money(value)])
  }
  setRow(sheet, [texts.profit, '', '', money(bill.profit)], { strong: true })
  setRow(sheet, [texts.income, '', '', money(bill.income)])
  setRow(sheet, [texts.incomeMoved, '', '', money(bill.income_moved)])
  sheet.y += ROW_HEIGHT
}

function setProduct(sheet: Sheet, line: FundBillLine, texts: BillTexts): void {
  if (sheet.y + BLOCK_HEIGHT > BOTTOM) {
    sheet.doc.addPage()
    sheet.y = MARGIN
  }
  setHeading(sheet, line.product_name)
  setRow(sheet, ['', texts.units, texts.nav, texts.value], { color: GREY })
  const nav = (value: string | null) => (value === null ? NO_VALUE : money(value))
  setRow(sheet, [texts.opening, count(line.opening_units), nav(line.opening_nav), money(line.opening_value)])
  setRow(sheet, [texts.purchased, count(line.purchased_units), '', money(line.purchased_value)])
  setRow(sheet, [texts.redeemed, count(line.redeemed_units), '', money(line.redeemed_value)])
  setRow(sheet, [texts.closing, count(line.closing_units), nav(line.closing_nav), money(line.closing_value)])
  setRow(sheet, [texts.subscriptionFees, '', '', money(line.subscription_fees)])
  setRow(sheet, [texts.redemptionFees, '', '', money(line.redemption_fees)])
  setRow(sheet, [texts.managementFees, '', '', money(line.management_fees)])
  setRow(sheet, [texts.profit, '', '', money(line.profit)], { strong: true })
  sheet.y += ROW_HEIGHT
}

/** Sets note, checksum and page number on every page. */
function setFoot(sheet: Sheet, bill: FundBill, texts: BillTexts): void {
  const { count: pages } = sheet.doc.bufferedPageRange()
  for (let page = 0; page < pages; page++) {
    sheet.doc.switchToPage(page)
    sheet.y = BOTTOM + 8
    write(sheet, texts.note, { size: 8, color: GREY })
    sheet.y += 12
    write(sheet, `${texts.checksum}: ${bill.hash.slice(2)}`, { size: 7, color: GREY })
    write(sheet, `${page + 1} / ${pages}`, { size: 8, color: GREY, align: 'right' })
  }
}

function setHeading(sheet: Sheet, text: string): void {
  write(sheet, text, { size: 12 })
  sheet.y += 18
  rule(sheet)
}

function setRow(
  sheet: Sheet,
  [label, ...values]: readonly [string, string, string, string],
  style: { color?: string; strong?: boolean } = {},
): void {
  const column = WIDTH / 5
  const cells: Cell[] = [
    { text: label, align: 'left', x: MARGIN, width: 2 * column },
    ...values.map((text, index) => ({
      text,
      align: 'right' as const,
      x: MARGIN + (2 + index) * column,
      width: column,
    })),
  ]
  for (const { text, ...place } of cells) {
    if (text !== '') write(sheet, text, { size: style.strong ? 10 : 9, color: style.color ?? NAVY, ...place })
  }
  sheet.y += ROW_HEIGHT
  rule(sheet)
}

function rule(sheet: Sheet): void {
  sheet.doc
    .moveTo(MARGIN, sheet.y - 4)
    .lineTo(MARGIN + WIDTH, sheet.y - 4)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke()
}

/** Sets one line of text at the sheet's current height, in a smaller size when the line is too wide. */
function write(
  { doc, locale, y }: Sheet,
  text: string,
  style: { size: number; color?: string; x?: number; width?: number; align?: 'left' | 'right' },
): void {
  const { x = MARGIN, width = WIDTH, align = 'left' } = style
  const runs = runsOf(text, locale)
  const widthAt = (size: number) =>
    runs.reduce((sum, run) => sum + doc.font(run.script).fontSize(size).widthOfString(run.text), 0)
  const natural = widthAt(style.size)
  const size = natural > width ? (style.size * width) / natural : style.size
  let at = align === 'right' ? x + width - Math.min(natural, width) : x
  doc.fillColor(style.color ?? NAVY)
  for (const run of runs) {
    doc.font(run.script).fontSize(size).text(run.text, at, y, { lineBreak: false, baseline: 'top' })
    at += doc.widthOfString(run.text)
  }
}

/** Formats an amount with thousands separators and two to six decimals. */
function money(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return `${count(whole)}.${fraction.replace(/0{1,4}$/, '').padEnd(2, '0')}`
}

function count(units: string): string {
  return units.replace(/\B(?=(\d{3})+$)/g, ',')
}
