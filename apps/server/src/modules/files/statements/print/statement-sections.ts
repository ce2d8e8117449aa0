import type { Locale, StatementKind } from '@rif/api-schema'
import { ACCOUNT_COLUMNS } from '../content/account.ts'
import type { Row } from '../content/content.ts'
import { TRIAL_BALANCE_COLUMNS } from '../content/operators.ts'
import { TAX_COLUMNS } from '../content/tax.ts'
import { LEDGER_WORDS } from './ledger-words.ts'
import { STATEMENT_TEXTS, type StatementTexts } from './statement-texts.ts'

/** A column of a printed table; `share` is its part of the width. */
export interface PrintedColumn {
  readonly heading: string
  readonly share: number
  readonly align: 'left' | 'right'
}

/** A printed table. The sums at its end are set off. */
export interface PrintedTable {
  readonly title: string
  readonly columns: readonly PrintedColumn[]
  readonly rows: readonly (readonly string[])[]
  readonly sums?: readonly (readonly string[])[]
}

/** The file to print; `rows` are those of the CSV. */
export interface PrintedStatement {
  readonly statementId: string
  readonly kind: StatementKind
  readonly locale: Locale
  readonly from: string
  readonly to: string
  readonly madeAt: string
  /** The wallet of the member who owns the books. */
  readonly address: string | null
  readonly rows: readonly Row[]
}

const left = (heading: string, share: number): PrintedColumn => ({ heading, share, align: 'left' })
const right = (heading: string, share: number): PrintedColumn => ({ heading, share, align: 'right' })

/** Returns the tables of a printed file, in the member's language. */
export function tablesOf(printed: PrintedStatement): PrintedTable[] {
  const texts = STATEMENT_TEXTS[printed.locale]
  switch (printed.kind) {
    case 'tax':
      return taxTables(printed, texts)
    case 'trial_balance':
      return [trialBalanceTable(printed, texts)]
    default:
      return accountTables(printed, texts)
  }
}

/** Returns readers of the cells of a row by column. */
function reader<Column extends string>(columns: readonly Column[]) {
  const places = new Map(columns.map((column, index) => [column, index]))
  return (row: Row, column: Column): string => row[places.get(column)!] ?? ''
}

function accountTables({ rows, locale }: PrintedStatement, texts: StatementTexts): PrintedTable[] {
  const of = reader(ACCOUNT_COLUMNS)
  const { accounts } = LEDGER_WORDS[locale]
  const typed = (type: string) => rows.filter((row) => of(row, 'row') === type)
  const place = (row: Row) => accounts[of(row, 'account')] ?? of(row, 'account')
  const key = (row: Row) => `${of(row, 'asset')} ${of(row, 'account')}`
  const balances = new Map(typed('ledger').map((row) => [key(row), of(row, 'balance')]))
  const dates = dateFormat(locale)
  return [
    {
      title: texts.opening,
      columns: [left(texts.asset, 1), left(texts.place, 3), right(texts.balance, 3)],
      rows: typed('opening').map((row) => [of(row, 'asset'), place(row), money(of(row, 'balance'))]),
    },
    {
      title: texts.entries,
      columns: [
        left(texts.date, 19),
        left(texts.what, 25),
        left(texts.who, 17),
        left(texts.place, 14),
        right(texts.amount, 17),
        left(texts.asset, 6),
        right(texts.balance, 17),
      ],
      rows: typed('entry').map((row) => [
        dates(of(row, 'at')),
        whatOf(of(row, 'kind'), of(row, 'amount'), locale),
        of(row, 'name') || shortWallet(of(row, 'counterparty')) || of(row, 'cause'),
        place(row),
        money(of(row, 'amount')),
        of(row, 'asset'),
        money(of(row, 'balance')),
      ]),
    },
    {
      title: texts.closing,
      columns: [left(texts.asset, 1), left(texts.place, 3), right(texts.balance, 3), right(texts.ledger, 3)],
      rows: typed('closing').map((row) => [
        of(row, 'asset'),
        place(row),
        money(of(row, 'balance')),
        money(balances.get(key(row)) ?? '0.000000'),
      ]),
    },
  ]
}

function taxTables({ rows, locale }: PrintedStatement, texts: StatementTexts): PrintedTable[] {
  const of = reader(TAX_COLUMNS)
  const dates = dateFormat(locale)
  const typed = (...types: string[]) => rows.filter((row) => types.includes(of(row, 'row')))
  const holding = (title: string, type: string): PrintedTable => ({
    title,
    columns: [left(texts.asset, 1), right(texts.held, 3), right(texts.cost, 3)],
    rows: typed(type).map((row) => [
      of(row, 'asset'),
      money(of(row, 'held')),
      money(of(row, 'held_cost_usdt')),
    ]),
  })
  const types = texts as unknown as Readonly<Record<string, string>>
  const figures = (row: Row) => [
    money(of(row, 'value_usdt')),
    money(of(row, 'cost_usdt')),
    money(of(row, 'gain_usdt')),
  ]
  const numbers = [right(texts.value, 14), right(texts.cost, 14), right(texts.gain, 14)]
  return [
    holding(texts.opening, 'opening'),
    {
      title: texts.entries,
      columns: [
        left(texts.date, 19),
        left(texts.what, 26),
        right(texts.quantity, 16),
        left(texts.asset, 6),
        right(texts.price, 11),
        ...numbers,
      ],
      rows: typed('reward', 'acquired', 'disposed', 'moved_in', 'moved_out').map((row) => [
        dates(of(row, 'at')),
        `${types[of(row, 'row')]}: ${whatOf(of(row, 'kind'), of(row, 'row') === 'moved_out' ? '-' : '', locale)}`,
        money(of(row, 'quantity')),
        of(row, 'asset'),
        money(of(row, 'price_usdt')) || (of(row, 'value_usdt') === '' ? texts.unknown : ''),
        ...figures(row),
      ]),
    },
    {
      title: texts.sums,
      columns: [left(texts.what, 26), left(texts.asset, 6), ...numbers],
      rows: typed('sum_rewards', 'sum_disposed')
        .filter((row) => /[1-9]/.test(of(row, 'value_usdt')))
        .map((row) => [types[of(row, 'row')]!, of(row, 'asset'), ...figures(row)]),
    },
    holding(texts.closing, 'closing'),
  ]
}

function trialBalanceTable({ rows }: PrintedStatement, texts: StatementTexts): PrintedTable {
  const of = reader(TRIAL_BALANCE_COLUMNS)
  const cells = (row: Row) => [
    of(row, 'asset'),
    of(row, 'account') || texts.sum,
    money(of(row, 'debit')),
    money(of(row, 'credit')),
    money(of(row, 'balance')),
  ]
  const numbers = [right(texts.debit, 4), right(texts.credit, 4), right(texts.balance, 4)]
  return {
    title: texts.trial_balance,
    columns: [left(texts.asset, 1), left(texts.ledgerAccount, 4), ...numbers],
    rows: rows.filter((row) => of(row, 'row') === 'account').map(cells),
    sums: rows.filter((row) => of(row, 'row') === 'sum').map(cells),
  }
}

/** Returns the name of a transaction; for a transfer by its direction. */
function whatOf(kind: string, amount: string, locale: Locale): string {
  const { kinds } = LEDGER_WORDS[locale]
  if (kind.endsWith(':reversal')) return kinds.undone!
  if (kind === 'transfer') return (amount.startsWith('-') ? kinds.transfer_out : kinds.transfer_in)!
  return kinds[kind] ?? kind
}

function dateFormat(locale: Locale): (time: string) => string {
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  } as Intl.DateTimeFormatOptions)
  return (time) => format.format(new Date(time))
}

/** Formats an amount with thousands separators, a real minus, and two to six decimals. */
function money(amount: string): string {
  if (amount === '') return ''
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount.startsWith('-') ? '−' : ''}${grouped}.${fraction.replace(/0{1,4}$/, '').padEnd(2, '0')}`
}

const shortWallet = (text: string) => (text.startsWith('0x') ? `${text.slice(0, 8)}…${text.slice(-6)}` : '')
