import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Pause } from './connection.ts'

/** A fresh module without a lost connection, because other tests of this process share its state. */
let connection: typeof import('./connection.ts')
beforeEach(async () => {
  vi.resetModules()
  connection = await import('./connection.ts')
})

class Unreachable extends Error {
  readonly pauseMs: number
  constructor(pauseMs: number) {
    super('unreachable')
    this.pauseMs = pauseMs
  }
}
const pauseOf = (error: unknown): Pause | null =>
  error instanceof Unreachable ? { ms: error.pauseMs, reason: 'unreachable' } : null

/** Simulates a server that can be down, and counts requests. */
function server({ retryAfterMs = 0 } = {}) {
  const state = { isDown: true, calls: 0 }
  const read = async () => {
    state.calls++
    if (state.isDown) throw new Unreachable(retryAfterMs)
    return state.calls
  }
  const ask = (signal?: AbortSignal) => connection.readPatiently(read, pauseOf, signal)
  return { state, read, ask }
}

describe('readPatiently', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(0.999)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it('retries with growing pauses, one read at a time, and lets all continue after the first response', async () => {
    const { state, ask } = server()
    const reads = Array.from({ length: 8 }, () => ask())
    await vi.advanceTimersByTimeAsync(5_000)
    // Eight first attempts, then one after 1 s and one after 2 s more.
    expect(state.calls).toBe(10)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(state.calls).toBeLessThanOrEqual(17)
    state.isDown = false
    await vi.advanceTimersByTimeAsync(30_000)
    await Promise.all(reads)
    expect(state.calls).toBeLessThanOrEqual(25)
  })

  it('waits as long as the server demands, and retries at once when the device is online again', async () => {
    const { state, ask } = server({ retryAfterMs: 20_000 })
    const read = ask()
    await vi.advanceTimersByTimeAsync(19_000)
    expect(state.calls).toBe(1)
    state.isDown = false
    window.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    await expect(read).resolves.toBe(2)
  })

  it('fails a read that fails while others succeed, and one whose page was left', async () => {
    const { state, ask } = server()
    const lonely = ask().catch((error: Error) => error.message)
    for (let time = 0; time < 4; time++) {
      await vi.advanceTimersByTimeAsync(1)
      const other = connection.readPatiently(async () => 'answer', pauseOf, undefined)
      await vi.advanceTimersByTimeAsync(2_000)
      await expect(other).resolves.toBe('answer')
    }
    expect(await lonely).toBe('unreachable')
    expect(state.calls).toBeLessThanOrEqual(5)
    const leaving = new AbortController()
    const left = ask(leaving.signal).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(1)
    leaving.abort()
    expect(await left).toBe('unreachable')
    state.isDown = false
    const next = ask()
    await vi.advanceTimersByTimeAsync(40_000)
    await expect(next).resolves.toBeGreaterThan(0)
  })

  it('after too many requests waits as long as the server demands, while others continue', async () => {
    const limited = (): Pause => ({ ms: 30_000, reason: 'limited' })
    const { state, read } = server()
    const refused = connection.readPatiently(read, limited, undefined)
    const other = connection.readPatiently(async () => 'answer', limited, undefined)
    const { result: until } = renderHook(() => connection.useLimitedUntil())
    const { result: isLost } = renderHook(() => connection.useConnectionLost())
    await expect(other).resolves.toBe('answer')
    await act(() => vi.advanceTimersByTimeAsync(29_000))
    expect(state.calls).toBe(1)
    expect(until.current - Date.now()).toBe(1_000)
    expect(isLost.current).toBe(false)
    state.isDown = false
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    await expect(refused).resolves.toBe(2)
    expect(until.current).toBe(0)
  })

  it('passes on an error that is a response', async () => {
    const refused = connection.readPatiently(
      async () => {
        throw new Error('no')
      },
      pauseOf,
      undefined,
    )
    await expect(refused).rejects.toThrow('no')
  })
})
