import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@rif/api-schema'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '../..')

/** Returns the text of all screens, without tests. */
function screens(): string {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /[.]tsx?$/.test(name) && !/[.]test[.]/.test(name))
    .map((name) => readFileSync(join(SOURCE, name), 'utf8'))
    .join('\n')
}

test('a screen reads every field of me, or the specification names the field with the reason', () => {
  const text = screens()
  const document = readFileSync(join(SOURCE, '../../../docs/specification.md'), 'utf8')
  expect(document).not.toContain('sent, not shown')
  const isRead = (field: string) => new RegExp(`[.]${field}\\b|'${field}'|\\b${field}[,} ]`).test(text)
  const isNamed = (field: string) => document.includes(`\`${field}\``)
  const unread = Object.keys(routes.me.data.shape).filter((field) => !isRead(field))
  expect(unread.filter((field) => !isNamed(field))).toEqual([])
  // The fields that were sent and shown nowhere.
  expect(unread).not.toEqual(expect.arrayContaining(['fund_level']))
  for (const field of [
    'fixed_invest_amount_usdt',
    'realized_profit_amc',
    'service_fee',
    'redemption_fee',
    'vc_rate',
  ]) {
    expect(text).toContain(`me.${field}`)
  }
})
