import type { AppConfig } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { FlowError } from '../provider.ts'
import { type FlowEvent, type FlowState, flowReducer, idleFlow, type StepId, withBank } from './flow-state.ts'

const steps: StepId[] = ['approveAmc', 'approveUsdt', 'pay']
const run = (events: readonly FlowEvent[], from: FlowState = idleFlow) => events.reduce(flowReducer, from)

describe('flowReducer', () => {
  it('passes through a step: checked, requested, sent, finished', () => {
    const planned = run([{ type: 'started' }, { type: 'planned', steps, finished: [] }])
    expect(planned).toMatchObject({ phase: 'checking', steps, finished: [], current: null })
    const asking = flowReducer(planned, { type: 'asked', step: 'approveAmc', previews: [] })
    expect(asking).toMatchObject({ phase: 'asking', current: 'approveAmc', hash: null })
    const sent = flowReducer(asking, { type: 'sent', step: 'approveAmc', hash: '0x1' })
    expect(sent).toMatchObject({ phase: 'mining', current: 'approveAmc', hash: '0x1' })
    const finished = flowReducer(sent, { type: 'finished', step: 'approveAmc' })
    expect(finished).toMatchObject({ phase: 'pausing', current: null, finished: ['approveAmc'] })
  })

  it('keeps the failed step visible and clears the problem on a restart', () => {
    const stopped = run([
      { type: 'planned', steps, finished: ['approveAmc'] },
      { type: 'asked', step: 'approveUsdt', previews: [] },
      { type: 'stopped', problem: 'rejected', detail: null },
    ])
    expect(stopped).toMatchObject({ phase: 'stopped', current: 'approveUsdt', problem: 'rejected' })
    expect(flowReducer(stopped, { type: 'started' })).toMatchObject({
      phase: 'checking',
      problem: null,
      finished: ['approveAmc'],
    })
  })

  it('shows a transaction that is tracked after a reload, before the plan is known', () => {
    const followed = run([{ type: 'started' }, { type: 'sent', step: 'pay', hash: '0x2' }])
    expect(followed).toMatchObject({ phase: 'mining', steps: ['pay'], current: 'pay' })
  })

  it('stays done', () => {
    const done = run([{ type: 'planned', steps, finished: [] }, { type: 'verifying' }, { type: 'done' }])
    expect(done).toMatchObject({ phase: 'done', finished: steps })
    expect(flowReducer(done, { type: 'stopped', problem: 'failed', detail: null })).toBe(done)
  })
})

it('pays an order to a former bank of the product, and never to a contract outside its list', () => {
  const [old, next, thief] = [1, 2, 3].map((digit) => `0x${`${digit}`.repeat(40)}`) as [
    string,
    string,
    string,
  ]
  const banks = [old, next].map((address) => ({ address }))
  const config = { contracts: { bank: next }, banks } as unknown as AppConfig
  expect(withBank(config, old).contracts.bank).toBe(old)
  expect(() => withBank(config, thief)).toThrow(FlowError)
})
