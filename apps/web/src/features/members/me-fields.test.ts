import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { routes } from '@rif/api-schema'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '..')
const DOCUMENT = join(SOURCE, '../../../../docs/specification.md')
/** Starts the second cell of a field that no screen reads; the reason follows. */
const UNREAD = 'not read: '

/** Returns the rows of the table "field, read by" under "User info": each field with its second cell. */
function declared(): Map<string, string> {
  const section = readFileSync(DOCUMENT, 'utf8').split('\n## User info\n')[1]!.split('\n## ')[0]!
  const rows = section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)
  return new Map([...rows].map(([, field, cell]) => [field!, cell!]))
}

/** Returns the texts of the screens by the names of their files, without tests. */
function screens(): Map<string, string> {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => /[.]tsx?$/.test(name) && !/[.]test[.]/.test(name))
  return new Map(sources.map((name) => [basename(name), readFileSync(join(SOURCE, name), 'utf8')]))
}

/**
 * Reports whether a source reads a field of `me`: by name, by the side of the team, or as one of the four
 * sums.
 */
function reads(text: string, field: string): boolean {
  const ofSide = /^(?:left|right)_(\w+)$/.exec(field)?.[1]
  return (
    new RegExp(`\\bme(?:[.]data)?[?]?[.]${field}\\b`).test(text) ||
    (ofSide !== undefined && text.includes(`me[\`\${side}_${ofSide}\`]`)) ||
    (/^(tjjl|pdjl|jtjl|gljl)$/.test(field) && /\bme\[sum\]/.test(text))
  )
}

test('every field of me has its screens in the specification, which read it, or the reason why none does', () => {
  const rows = declared()
  expect([...rows.keys()].sort()).toEqual(Object.keys(routes.me.data.shape).sort())
  const texts = screens()
  const wrong = [...rows].flatMap(([field, cell]) => {
    if (cell.startsWith(UNREAD)) return cell.length > UNREAD.length + 20 ? [] : [`${field}: no reason`]
    const files = [...cell.matchAll(/`([\w.-]+)`/g)].map(([, file]) => file!)
    if (files.length === 0) return [`${field}: no screen`]
    return files.flatMap((file) => (reads(texts.get(file) ?? '', field) ? [] : [`${field}: not in ${file}`]))
  })
  expect(wrong).toEqual([])
})

test('the fields that were sent and shown nowhere are on the page "My figures"', () => {
  const page = screens().get('figures-page.tsx')!
  const wanted = [
    'fixed_invest_amount_usdt',
    'fixed_invest_amount_amc',
    'realized_profit_usdt',
    'realized_profit_amc',
    'available_profit',
    'fund_level',
    'service_fee',
    'redemption_fee',
    'dividend_rate',
    'vc_rate',
  ]
  expect(wanted.filter((field) => !reads(page, field))).toEqual([])
})
