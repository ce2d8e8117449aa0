import { beforeAll, expect, it } from 'vitest'
import { needAllTexts, startI18n } from '../../lib/index.ts'
import { type FlowError, problemText } from '../provider.ts'
import { type FlowRun, showPreviews } from './send.ts'

const PAYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

beforeAll(async () => {
  await startI18n()
  await needAllTexts()
})

/** A run of a payer whose wallet has an account chosen, and tells nobody that it changed. */
const runWith = (chosen: string | null) =>
  ({
    account: PAYER,
    provider: { request: async () => (chosen === null ? [] : [chosen]) },
    dispatch: () => undefined,
    signal: new AbortController().signal,
  }) as unknown as FlowRun

it('opens no wallet that has another account chosen by now, and names both accounts', async () => {
  const error: FlowError = await showPreviews(runWith(OTHER), 'pay', []).then(
    () => expect.unreachable(),
    (thrown) => thrown,
  )
  expect(error.problem).toBe('wrongAccount')
  expect(problemText(error.problem, error.message)).toBe(
    'Your wallet has 0x3C44…93BC chosen. This needs 0x7099…79C8. Change to it in the wallet and go on. Nothing was sent.',
  )
  await showPreviews(runWith(PAYER.toLowerCase()), 'pay', [])
  // A locked wallet asks for itself.
  await showPreviews(runWith(null), 'pay', [])
})
