import { describe, expect, it } from 'vitest'
import { nextPaymentAction, type PaymentFacts, planPayment } from './payment-plan.ts'

const facts: PaymentFacts = {
  status: 'UnPaid',
  expired: false,
  paidOnChain: false,
  usdt: { needed: 70n, allowance: 0n, balance: 100n },
  amc: { needed: 60n, allowance: 0n, balance: 100n },
  method: 'plain',
  hasPermit: false,
  nativeBalance: 1n,
}
const allowed = (token: PaymentFacts['usdt']) => ({ ...token, allowance: token.needed })

/** Carries out the plan until it says pay, as a chain on which everything succeeds would. */
function walk(start: PaymentFacts): string[] {
  const done: string[] = []
  let now = start
  for (;;) {
    const action = nextPaymentAction(now)
    done.push(action.do)
    if (action.do === 'approveAmc') now = { ...now, amc: allowed(now.amc) }
    else if (action.do === 'approveUsdt') now = { ...now, usdt: allowed(now.usdt) }
    else if (action.do === 'permitAmc') now = { ...now, hasPermit: true }
    else return done
  }
}

describe('nextPaymentAction', () => {
  it('authorises AMC, then USDT, then pays', () => {
    expect(walk(facts)).toEqual(['approveAmc', 'approveUsdt', 'pay'])
    expect(walk({ ...facts, method: 'permit' })).toEqual(['permitAmc', 'approveUsdt', 'pay'])
    expect(walk({ ...facts, method: 'batch' })).toEqual(['batch'])
  })

  it('resumes after a reload or on another device', () => {
    expect(walk({ ...facts, amc: allowed(facts.amc) })).toEqual(['approveUsdt', 'pay'])
    expect(walk({ ...facts, method: 'permit', amc: allowed(facts.amc) })).toEqual(['approveUsdt', 'pay'])
    expect(walk({ ...facts, amc: allowed(facts.amc), usdt: allowed(facts.usdt) })).toEqual(['pay'])
    expect(walk({ ...facts, paidOnChain: true })).toEqual(['verify'])
    expect(walk({ ...facts, status: 'Processing' })).toEqual(['finish'])
    expect(walk({ ...facts, status: 'Paid' })).toEqual(['finish'])
  })

  it('requests nothing from the wallet for an order that cannot be paid', () => {
    expect(nextPaymentAction({ ...facts, status: 'Cancelled' })).toEqual({ do: 'stop', problem: 'closed' })
    expect(nextPaymentAction({ ...facts, expired: true })).toEqual({ do: 'stop', problem: 'expired' })
    const poor = { ...facts.amc, balance: 59n }
    expect(nextPaymentAction({ ...facts, amc: poor })).toEqual({
      do: 'stop',
      problem: 'notEnoughTokens',
      asset: 'AMC',
    })
    const broke = { ...facts.usdt, balance: 69n }
    expect(nextPaymentAction({ ...facts, usdt: broke })).toEqual({
      do: 'stop',
      problem: 'notEnoughTokens',
      asset: 'USDT',
    })
    expect(nextPaymentAction({ ...facts, nativeBalance: 0n })).toEqual({
      do: 'stop',
      problem: 'notEnoughForFee',
    })
  })

  it('recognises a payment that arrived before the order expired or the wallet was emptied', () => {
    const spent = { ...facts.usdt, balance: 0n }
    expect(nextPaymentAction({ ...facts, paidOnChain: true, expired: true, usdt: spent })).toEqual({
      do: 'verify',
    })
  })
})

describe('planPayment', () => {
  it('shows finished and remaining steps', () => {
    expect(planPayment(facts)).toEqual({ steps: ['approveAmc', 'approveUsdt', 'pay'], finished: [] })
    expect(planPayment({ ...facts, method: 'permit', hasPermit: true })).toEqual({
      steps: ['permitAmc', 'approveUsdt', 'pay'],
      finished: ['permitAmc'],
    })
    expect(planPayment({ ...facts, method: 'permit', amc: allowed(facts.amc) })).toEqual({
      steps: ['approveAmc', 'approveUsdt', 'pay'],
      finished: ['approveAmc'],
    })
    expect(planPayment({ ...facts, method: 'batch' })).toEqual({ steps: ['batch'], finished: [] })
  })

  it('leaves out AMC where only USDT is paid', () => {
    const usdtOnly = { ...facts, method: 'permit' as const, amc: { needed: 0n, allowance: 0n, balance: 0n } }
    expect(walk(usdtOnly)).toEqual(['approveUsdt', 'pay'])
    expect(planPayment(usdtOnly)).toEqual({ steps: ['approveUsdt', 'pay'], finished: [] })
    expect(planPayment({ ...usdtOnly, usdt: allowed(facts.usdt) }).finished).toEqual(['approveUsdt'])
  })
})
