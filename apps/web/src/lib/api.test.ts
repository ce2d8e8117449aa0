import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, loadCsv, refusalStore } from './api.ts'
import { ApiError, inTime, TransportError } from './api-errors.ts'
import { API_TIMEOUT_MS, OTHER_TIMEOUT_MS } from './api-routes.ts'
import { modalStore, toastStore } from './overlays.ts'
import { clearSession, saveToken, sessionStore } from './session.ts'

/** Simulates a server with this response, or without a response until the request is aborted. */
function serve(answer: { status: number; body: unknown } | 'silence' | 'nothing') {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    if (answer === 'nothing') throw new TypeError('Failed to fetch')
    if (answer !== 'silence') return new Response(JSON.stringify(answer.body), { status: answer.status })
    return new Promise((_resolve, reject) => {
      const { signal } = init ?? {}
      const stop = () => reject(signal?.reason)
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop)
    })
  })
}

const refusal = (code: number) => ({
  status: code,
  body: { code, msg: 'No', data: { error: 'INTERNAL', details: {} } },
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  modalStore.setState([], true)
  toastStore.setState(null)
  clearSession()
})

describe('call', () => {
  it('waits 30 s for the API, then reports a timeout with code 5 in a modal', async () => {
    expect(API_TIMEOUT_MS).toBe(30_000)
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    serve('silence')
    await expect(call('me')).rejects.toMatchObject({ name: 'TransportError', reason: 'timeout', code: 5 })
    expect(timeout).toHaveBeenCalledWith(30_000)
    expect(modalStore.getState()).toHaveLength(1)
  })

  it('reports a lost connection with code 5, and nothing after an abort', async () => {
    serve('nothing')
    await expect(call('me')).rejects.toMatchObject({ reason: 'network', code: 5 })
    modalStore.setState([], true)
    serve('silence')
    const abortedCall = call('me', {}, { signal: AbortSignal.abort() })
    await expect(abortedCall).rejects.toMatchObject({ reason: 'abort', code: 600003 })
    expect(modalStore.getState()).toEqual([])
  })

  it('shows a refusal for two seconds; a 401 ends the session and reports that once, even for quiet calls', async () => {
    serve(refusal(409))
    await expect(call('me')).rejects.toBeInstanceOf(ApiError)
    expect(toastStore.getState()).toEqual({ text: 'No', tone: 'bad', durationMs: 2000, about: 'INTERNAL' })
    toastStore.setState(null)
    saveToken('t', '0xaa')
    serve(refusal(401))
    await expect(call('me', {}, { quiet: true })).rejects.toMatchObject({ status: 401 })
    expect(sessionStore.getState().token).toBe('')
    expect(toastStore.getState()).toMatchObject({ text: 'No', tone: 'bad' })
    toastStore.setState(null)
    await expect(call('me', {}, { quiet: true })).rejects.toMatchObject({ status: 401 })
    expect(toastStore.getState()).toBeNull()
  })
})

const REFUSAL = { by: 'address', level: 'may_leave', value: '0xaa', reason: 'Regulation 1' }

it('redirects callers who are not served to the plain page, once, and keeps the session', async () => {
  window.history.replaceState({ __TSR_index: 0 }, '', '/pages/shop/index')
  saveToken('t', '0xaa')
  serve({ status: 451, body: { code: 451, msg: 'No', data: { error: 'NOT_SERVED', details: REFUSAL } } })
  await expect(call('me', {}, { quiet: true })).rejects.toMatchObject({ status: 451 })
  await expect(call('me', {}, { quiet: true })).rejects.toMatchObject({ status: 451 })
  expect(window.location.pathname).toBe('/pages/refused')
  expect(window.history.state).toMatchObject({ __TSR_index: 1 })
  expect([refusalStore.getState(), toastStore.getState()]).toEqual([REFUSAL, null])
  expect(sessionStore.getState().token).toBe('t')
})

describe('loadCsv', () => {
  it('waits 60 s for a file and reports a failed transfer with code 602001', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    serve('silence')
    await expect(loadCsv('orders', {})).rejects.toMatchObject({ reason: 'transfer', code: 602001 })
    expect(timeout).toHaveBeenCalledWith(60_000)
  })

  it("shows a refusal with the server's text", async () => {
    serve(refusal(409))
    await expect(loadCsv('orders', {})).rejects.toMatchObject({ status: 409, message: 'No' })
  })
})

describe('inTime', () => {
  it('times out after 60 s', async () => {
    vi.useFakeTimers()
    const late = inTime(new Promise(() => undefined))
    const refused = expect(late).rejects.toBeInstanceOf(TransportError)
    await vi.advanceTimersByTimeAsync(OTHER_TIMEOUT_MS)
    await refused
    expect(await inTime(Promise.resolve(1))).toBe(1)
  })
})
