import { expect, it } from 'vitest'
import { announcementProblem } from './announcement.ts'

it.each([
  'Maintenance on Sunday, 02:00 to 03:00 UTC. Claims go on.',
  'The fee falls from 1.5% to 1.25%, e.g. 2.50 USDT of 200.00. Rules, section 8.',
  'メンテナンスは日曜日です。請求は続きます。AMC も同様です。',
  '일요일에 점검합니다. 청구는 계속됩니다.\n\n감사합니다.',
  'Thank you 👨‍👩‍👧 for your patience…',
])('announces %s', (text) => {
  expect(announcementProblem(text)).toBeNull()
})

it.each([
  ['https://rifund.example/claim', 'link'],
  ['See HTTP://EXAMPLE.ORG', 'link'],
  ['ipfs://bafy', 'link'],
  ['Go to www.rifund-claim.app now', 'link'],
  ['Go to rifund.com/claim', 'link'],
  ['Go to rifund.xyz.', 'link'],
  ['Write to help@rifund.io', 'link'],
  ['mailto:help', 'link'],
  ['Go to ｒｉｆｕｎｄ．ｃｏｍ', 'link'],
  ['Go to rífund.example', 'link'],
  ['Send to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'address'],
  ['Good \u202enews', 'hidden'],
  ['rif\u200bund', 'hidden'],
  ['bell\u0007', 'hidden'],
] as const)('refuses %s', (text, problem) => {
  expect(announcementProblem(text)).toBe(problem)
})
