import { expect, it } from 'vitest'
import { grantProposal, readGrants, withoutLines } from './grant-lines.ts'

const A = `0x${'a'.repeat(40)}`
const B = `0x${'B'.repeat(40)}`
const FILE = [
  '\uFEFFaddress,amount,reason',
  `${A},10.5,welcome`,
  `0x12,1,short`,
  '',
  `${B}, 2 ,"for ""May"", and June"`,
  `${B},0,nothing`,
  `${B},1.1234567,too fine`,
  `${B},1,`,
  `${A},10.500000,welcome`,
  `${B},1`,
  `${B},1,"open`,
].join('\r\n')

it('separates valid and invalid lines by number, with the problems', () => {
  const { good, bad, total } = readGrants(FILE, new Set())
  expect(good).toEqual([
    { line: 2, address: A, amount: '10.5', reason: 'welcome' },
    { line: 5, address: B, amount: '2', reason: 'for "May", and June' },
  ])
  expect(bad.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
    '3 address',
    '6 amount',
    '7 amount',
    '8 reason',
    '9 twice',
    '10 columns',
    '11 columns',
  ])
  expect(total).toBe('12.500000')
  expect(readGrants(FILE, new Set([B.toLowerCase()])).bad[1]).toMatchObject({ line: 5, problem: 'member' })
})

it('keeps lines that were not proposed, and gives equal lines equal keys', async () => {
  const { good } = readGrants(FILE, new Set())
  const rest = readGrants(withoutLines(FILE, good), new Set())
  // The second of two equal lines is no longer a duplicate: the server reports it if it remains.
  expect(rest.bad.map(({ problem }) => problem)).toEqual([
    'address',
    'amount',
    'amount',
    'reason',
    'columns',
    'columns',
  ])
  const { payload } = await grantProposal('may.csv', good)
  expect(payload.lines[0]).toEqual({ address: A, amount: '10.5', reason: 'welcome' })
  expect((await grantProposal('may.csv', good)).payload.batch).toBe(payload.batch)
  expect((await grantProposal('may.csv', good.slice(1))).payload.batch).not.toBe(payload.batch)
})
