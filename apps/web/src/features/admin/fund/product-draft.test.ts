import { expect, it } from 'vitest'
import { EMPTY_PRODUCT, readProduct } from './product-draft.ts'

const WHOLE = {
  ...EMPTY_PRODUCT,
  name: ' Harbour ',
  en: 'Berths',
  'zh-Hans': '泊位',
  ja: '係留',
  ko: '정박',
  annual: '4.25',
  opening: '1.05',
  minimum: '100',
  lock: '30',
  weekdays: '15',
  subscription: '0.5',
  redemption: '',
  management: '20',
  papers: JSON.stringify([{ title: 'Terms.pdf', media_type: 'application/pdf', content: 'AAAA' }]),
}

it('reads a complete product, with exact percentages', () => {
  const read = readProduct(WHOLE)
  expect(read).toMatchObject({
    ok: true,
    payload: {
      name: 'Harbour',
      risk_level: 3,
      estimated_annual_return: 42_500,
      minimum_usd: '100.000000',
      opening_nav: '1.050000',
      lock_days: 30,
      redeemable_weekdays: [1, 5],
      subscription_ppm: 5_000,
      redemption_ppm: 0,
      management_ppm: 200_000,
    },
  })
})

it('reports each missing or invalid field', () => {
  const wrong = {
    ja: ' ',
    opening: '0.001',
    minimum: '0',
    lock: '-1',
    weekdays: '',
    management: '100.1',
    annual: '1,5',
  }
  const read = readProduct({ ...WHOLE, ...wrong, papers: JSON.stringify([{ title: '', content: '' }]) })
  expect(read.ok ? [] : Object.keys(read.problems).sort()).toEqual(
    ['annual', 'ja', 'lock', 'management', 'minimum', 'opening', 'papers', 'weekdays'].sort(),
  )
  expect(readProduct(EMPTY_PRODUCT).ok).toBe(false)
})
