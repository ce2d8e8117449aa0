import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { modalStore, needAllTexts, startI18n } from '../lib/index.ts'
import { answering, stopWaiting } from './answers.ts'

/** A wallet whose requests are answered by hand. */
function wallet() {
  const answers: ((value: string) => void)[] = []
  const provider = answering({ request: () => new Promise((resolve) => answers.push(resolve)) })
  return { answers, ask: (method: string) => provider.request({ method }).catch((error) => error.problem) }
}
const question = () => modalStore.getState()[0]

beforeEach(async () => {
  await startI18n()
  await needAllTexts()
  vi.useFakeTimers()
})
afterEach(() => {
  stopWaiting()
  vi.useRealTimers()
})

it.each(['eth_requestAccounts', 'personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain'])(
  'says after half a minute without an answer to %s what may be the case, and lets the member leave',
  async (method) => {
    const { answers, ask } = wallet()
    const outcome = ask(method)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(question()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(question()!.content).toMatch(/behind this one.*locked/)
    // Another half minute, then the end.
    question()!.answer(false)
    await vi.advanceTimersByTimeAsync(31_000)
    question()!.answer(true)
    expect(await outcome).toBe('givenUp')
    // The late answer changes nothing.
    answers[0]!('0xlate')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([await outcome, question()]).toEqual(['givenUp', undefined])
  },
)

it('closes the question when the wallet answers, and asks nothing about calls that open no window', async () => {
  const { answers, ask } = wallet()
  const outcome = ask('personal_sign')
  await vi.advanceTimersByTimeAsync(31_000)
  expect(question()).toBeDefined()
  answers[0]!('0xsigned')
  expect(await outcome).toBe('0xsigned')
  expect(question()).toBeUndefined()
  const read = ask('eth_chainId')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(question()).toBeUndefined()
  answers[1]!('0x1')
  expect(await read).toBe('0x1')
})

it('can be left at any time, and another wallet be asked', async () => {
  const [first, second] = [wallet(), wallet()]
  const waiting = first.ask('eth_requestAccounts')
  stopWaiting()
  expect(await waiting).toBe('givenUp')
  const outcome = second.ask('eth_requestAccounts')
  first.answers[0]!('0xfirst')
  second.answers[0]!('0xsecond')
  expect(await outcome).toBe('0xsecond')
})
