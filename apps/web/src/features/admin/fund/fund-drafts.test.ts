import type { ExitDestination, FundDesk, RevenueDeposit } from '@rif/api-schema'
import { expect, it } from 'vitest'
import {
  checkDivestment,
  checkInvestment,
  checkValuation,
  divestmentDraft,
  EMPTY_INVESTMENT,
  freeDeposits,
  investmentNames,
  lineDraft,
  MAX_EVIDENCE_BYTES,
  NOTHING_BACK,
  previewDivestment,
  previewInvestment,
  previewValuation,
} from './fund-drafts.ts'

const VAULT = `0x${'7a'.repeat(20)}`
const paper = (content = 'QQ==') =>
  JSON.stringify({ title: 'rent.pdf', media_type: 'application/pdf', content, hash: `0x${'1'.repeat(64)}` })
const document = { title: 'rent.pdf', media_type: 'application/pdf', content: 'QQ==' }
const investment = (investment_id: string, state: string, cost: string) =>
  ({ investment_id, state, cost, value: cost, destination: VAULT }) as FundDesk['investments'][number]

/** 100 units: 400 in cash, 100 of it announced, and 600 in two investments; 10 approved units wait. */
const desk = {
  product_id: '3',
  nav: '10.000000',
  opening_nav: '10.000000',
  units: '100',
  began_nav: '10.000000',
  cash: '400.000000',
  announced: '100.000000',
  invested: '600.000000',
  is_invested: true,
  closed_reason: null,
  queue: { units: '10' },
  investments: [
    investment('7', 'invested', '500.000000'),
    investment('8', 'invested', '100.000000'),
    investment('9', 'announced', '100.000000'),
    investment('6', 'ended', '50.000000'),
  ],
} as FundDesk
const evidence = { heldAt: ' Harbour Bank ', document: paper() }
const deposit = (deposit_id: string, change: Partial<RevenueDeposit> = {}) =>
  ({
    deposit_id,
    asset: 'USDT',
    amount: '600.000000',
    attested: null,
    divested: false,
    proposal_id: null,
    ...change,
  }) as RevenueDeposit

it('reads a valuation of every investment, whose sum determines the NAV', () => {
  const text = { ...lineDraft(desk, ({ value }) => value), ...evidence, 'line/7': '550', 'line/8': '99.5' }
  expect(previewValuation(text, desk)?.after).toMatchObject({
    investedMicros: 649_500_000n,
    navMicros: 10_495_000n,
  })
  expect(checkValuation(text, desk)).toEqual({
    ok: true,
    payload: {
      product_id: '3',
      value: '649.500000',
      held_at: 'Harbour Bank',
      document,
      lines: [
        { investment_id: '7', value: '550.000000' },
        { investment_id: '8', value: '99.500000' },
      ],
    },
  })
})

it('accepts a value of 0, and reports each empty field', () => {
  const zero = { ...lineDraft(desk, () => '0'), ...evidence }
  expect(checkValuation(zero, desk)).toMatchObject({ ok: true, payload: { value: '0.000000' } })
  const none = { ...lineDraft(desk, () => ''), 'line/8': '-1' }
  expect(checkValuation(none, desk)).toEqual({
    ok: false,
    problems: { 'line/7': 'invalid', 'line/8': 'invalid', heldAt: 'noPlace', document: 'noDocument' },
  })
  const large = { ...zero, document: paper('A'.repeat((MAX_EVIDENCE_BYTES * 4) / 3 + 4)) }
  expect(checkValuation(large, desk)).toEqual({ ok: false, problems: { document: 'largeDocument' } })
})

it('limits an investment to cash that neither announcements nor approved redemptions need', () => {
  const text = (amount: string) => ({ ...EMPTY_INVESTMENT, ...evidence, destination: VAULT, amount })
  expect(checkInvestment(text('200'), desk)).toEqual({
    ok: true,
    payload: {
      product_id: '3',
      amount: '200.000000',
      destination: VAULT,
      held_at: 'Harbour Bank',
      document,
    },
  })
  expect(previewInvestment(text('200'), desk)?.after).toMatchObject({
    cashMicros: 400_000_000n,
    announcedMicros: 300_000_000n,
    navMicros: 10_000_000n,
  })
  expect(checkInvestment(text('200.000001'), desk)).toEqual({
    ok: false,
    problems: { amount: 'notInvestable' },
  })
  expect(checkInvestment({ ...text('0'), destination: '' }, desk)).toEqual({
    ok: false,
    problems: { amount: 'invalid', destination: 'noDestination' },
  })
  expect(checkInvestment(text('1'), { ...desk, closed_reason: 'loss' })).toMatchObject({ ok: false })
})

it('returns exactly the amount of a deposit, and values the rest', () => {
  const deposits = [deposit('21')]
  const text = { ...divestmentDraft(desk), ...evidence, deposit: '21', 'line/7': '20', 'line/8': '0' }
  expect(previewDivestment(text, desk, deposits)?.after).toMatchObject({
    cashMicros: 1_000_000_000n,
    investedMicros: 20_000_000n,
    navMicros: 10_200_000n,
    isClosed: false,
  })
  expect(checkDivestment(text, desk, deposits)).toMatchObject({
    ok: true,
    payload: { amount: '600.000000', left: '20.000000', deposit_id: '21', held_at: 'Harbour Bank' },
  })
  expect(checkDivestment({ ...text, deposit: '' }, desk, deposits)).toEqual({
    ok: false,
    problems: { deposit: 'noDeposit' },
  })
})

it('closes the product in the preview when an investment ends in a loss', () => {
  const text = { ...divestmentDraft(desk), ...evidence, deposit: NOTHING_BACK, 'line/7': '0', 'line/8': '0' }
  expect(previewDivestment(text, desk, [])?.after).toMatchObject({ isClosed: true, navMicros: 4_000_000n })
  expect(checkDivestment(text, desk, [])).toMatchObject({
    ok: true,
    payload: { amount: '0.000000', left: '0.000000', deposit_id: null },
  })
  expect(checkDivestment(text, { ...desk, began_nav: null }, [])).toEqual({
    ok: false,
    problems: { deposit: 'refused' },
  })
})

it('offers unused deposits in USDT', () => {
  const attested = { pool: 'yield_pool', source: 'rent', day: '2026-11-22' } as const
  const all = [
    deposit('1'),
    deposit('2', { asset: 'AMC' }),
    deposit('3', { attested }),
    deposit('4', { divested: true }),
    deposit('5', { proposal_id: '9' }),
  ]
  expect(freeDeposits(all).map(({ deposit_id }) => deposit_id)).toEqual(['1'])
})

it('names an investment after its destination, with its number where several share it', () => {
  const approved = { name: 'Lots, escrow' } as ExitDestination['approved']
  const destinations = [{ address: VAULT.toUpperCase().replace('0X', '0x'), approved }] as ExitDestination[]
  expect(investmentNames(desk, destinations).get('7')).toBe('Lots, escrow #7')
  const soleInvestment = { investments: desk.investments.slice(0, 1) }
  expect(investmentNames(soleInvestment, destinations).get('7')).toBe('Lots, escrow')
  expect(investmentNames(soleInvestment, []).get('7')).toBe('0x7a7a7a7a7a…7a7a7a7a')
})
