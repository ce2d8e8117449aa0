import { createHash } from 'node:crypto'
import { defaultPlan, renderTerms, termsFigures, termsPath, termsVersion } from '@rif/rules'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { apiQuery, clearSession, saveToken } from '../../lib/index.ts'
import { isKeptAccepted } from './accepted.ts'
import TermsPrompt from './terms-prompt.tsx'

const OWN = `0x${'11'.repeat(20)}`
const EARLIER = 'An earlier version\n\n## What this is [terms.what]\n\nOther words.\n'
const FACTS = {
  operator: { name: 'RIF Ltd', address: 'Street 1', law: 'Singapore', venue: 'Singapore' },
  contact: null,
  chainName: 'Arbitrum One',
  chainId: 42161,
  bank: '0xba',
  confirmations: 20,
  planVersion: 7n,
}
const NOW = renderTerms(
  `${EARLIER.replace('Other words', 'New words')}\n## You can lose all of it [risk.loss]\n\nThe price is spent.\n`,
  termsFigures({ ...defaultPlan, withdrawal: { ...defaultPlan.withdrawal, feePpm: 23_000 } }, FACTS),
)
const sha256 = createHash('sha256').update(NOW).digest('hex')
const version = termsVersion(sha256)
const CONFIG = { chain: { id: 42161, name: 'Arbitrum One', confirmations: 20 }, terms: { version, sha256 } }

afterEach(() => {
  vi.restoreAllMocks()
  clearSession()
  localStorage.clear()
})

/** Shows the prompt of a member who accepted versions; `onRequest` counts the requests for them. */
function show(accepted: string[], inForce = version, leavesOnly = false, published = NOW) {
  saveToken('token', OWN)
  const onRequest = vi.fn()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const path = String(input)
    if (path.startsWith('/terms/')) return new Response(path === termsPath(version) ? published : EARLIER)
    onRequest()
    const items = accepted.map((item) => ({ version: item }))
    return Response.json({
      code: 200,
      msg: '',
      data: { version: inForce, sha256, leaves_only: leavesOnly, items },
    })
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  client.setQueryDefaults(['config'], { staleTime: Number.POSITIVE_INFINITY })
  client.setQueryData(apiQuery('config').queryKey, {
    ...CONFIG,
    terms: { version: inForce, sha256 },
  } as never)
  const view = render(
    <QueryClientProvider client={client}>
      <label>
        Amount <input defaultValue="" />
      </label>
      <TermsPrompt />
    </QueryClientProvider>,
  )
  return { onRequest, view }
}

test('a new version is prompted for once, with its changes first, and typed input stays', async () => {
  show(['2026-01-01'])
  fireEvent.change(screen.getByLabelText('Amount'), { target: { value: '12' } })
  expect(await screen.findByText('The terms have changed')).toBeTruthy()
  expect(screen.getByText(/You accepted version 2026-01-01/)).toBeTruthy()
  expect(await screen.findByText('What changed')).toBeTruthy()
  // The two parts that differ between the published texts are marked; the others follow.
  const marked = (await screen.findAllByText('Changed')).map((mark) => mark.parentElement?.textContent)
  expect(marked).toEqual(['What this isChanged', 'You can lose all of itChanged'])
  expect(screen.getByText('Terms: the rest')).toBeTruthy()
  expect(screen.getAllByText('What this is')).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
  expect(screen.queryByRole('button', { name: 'Accept and sign' })).toBeNull()
  expect((screen.getByLabelText('Amount') as HTMLInputElement).value).toBe('12')
  expect(isKeptAccepted(OWN, version)).toBe(false)
})

test('a member who accepted no version sees all of it, without marks', async () => {
  show([])
  expect(
    await screen.findByText('Please read them. Your wallet then signs that you accept them.'),
  ).toBeTruthy()
  expect(await screen.findByText('You can lose all of it')).toBeTruthy()
  expect(screen.queryByText('Changed')).toBeNull()
})

test('a member who accepted the version in force is not prompted, and this browser does not query the server again', async () => {
  const { onRequest, view } = show([version, '2026-01-01'])
  await waitFor(() => expect(isKeptAccepted(OWN, version)).toBe(true))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(onRequest).toHaveBeenCalledTimes(1)
  view.unmount()
  const again = show([version])
  await new Promise((done) => setTimeout(done, 50))
  expect(again.onRequest).not.toHaveBeenCalled()
  expect(isKeptAccepted(`0x${'22'.repeat(20)}`, version)).toBe(false)
})

test('a member who declined at sign-in sees the available actions, and can still read and accept', async () => {
  show(['2026-01-01'], version, true)
  expect(await screen.findByText(/You can withdraw, redeem and claim what is yours/)).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Read the terms' }))
  expect(await screen.findByRole('button', { name: 'Accept and sign' })).toBeTruthy()
  expect(isKeptAccepted(OWN, version)).toBe(false)
})

test('the figures shown are those of the text that is signed, not those of the plan that is served', async () => {
  show([])
  expect(await screen.findByText(/A withdrawal costs 2\.3%, at least 1 USDT worth/)).toBeTruthy()
  expect(screen.getByText(/It has the figures of plan 7, and your signature/)).toBeTruthy()
  expect(screen.getByText(/Operator: RIF Ltd\. Address: Street 1\./)).toBeTruthy()
})

test('a published text without the hash that would be signed is not shown', async () => {
  show([], version, false, NOW.replace('fee: 2.3%', 'fee: 0.1%'))
  expect((await screen.findAllByRole('button', { name: 'Try again' })).length).toBeGreaterThan(0)
  expect(screen.getByRole('button', { name: 'Accept and sign' })).toHaveProperty('disabled', true)
  expect(screen.queryByText(/A withdrawal costs/)).toBeNull()
})

test('an app that is older than the server does not prompt, because its texts are not those in force', async () => {
  const { onRequest } = show([], '2999-01-01')
  await waitFor(() => expect(onRequest).toHaveBeenCalled())
  await new Promise((done) => setTimeout(done, 50))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(isKeptAccepted(OWN, version)).toBe(false)
})
