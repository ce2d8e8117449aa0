import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearSession, clearToken, saveToken } from '../lib/index.ts'
import { checkOf, isDrafted, useDraftForm } from './form.tsx'

const EMPTY = { asset: 'USDT', amount: '', toOwnWallet: true }
const judge = ({ amount }: typeof EMPTY) =>
  amount === '' ? { ok: false as const, problem: 'required' as const } : { ok: true as const, amount }
const open = (recheck = false) =>
  renderHook(() =>
    useDraftForm({
      name: 'withdraw',
      initial: EMPTY,
      check: (values) => checkOf('amount', judge(values)),
      text: (problem) => `It is ${problem}.`,
      recheck,
    }),
  ).result

beforeEach(() => {
  clearSession()
  saveToken('t', '0xaa')
})
afterEach(() => vi.useRealTimers())

describe('useDraftForm', () => {
  it('restores its values after a reload and after a new sign-in of the same address', () => {
    const form = open()
    act(() => form.current.set({ amount: '12.5' }))
    expect(open().current.values).toEqual({ ...EMPTY, amount: '12.5' })
    clearToken()
    saveToken('another', '0xaa')
    expect(open().current.values.amount).toBe('12.5')
  })

  it('stores nothing for another address, after a disconnect, or after sending', () => {
    const form = open()
    act(() => form.current.set({ amount: '12.5' }))
    saveToken('t', '0xbb')
    expect(open().current.values.amount).toBe('')
    saveToken('t', '0xaa')
    act(() => void form.current.clear())
    expect(open().current.values.amount).toBe('')
    act(() => form.current.set({ amount: '3' }))
    clearSession()
    saveToken('t', '0xaa')
    expect(open().current.values.amount).toBe('')
  })

  it('tells that values are kept until the form is sent or left, so that its sheet opens anew', () => {
    const sheet = () =>
      renderHook(() => useDraftForm({ ...SHEET, check: () => ({ ok: true as const }), text: String }))
    const SHEET = { name: 'note', inSheet: true, initial: { text: '' } }
    const first = sheet()
    expect(isDrafted('note')).toBe(false)
    act(() => first.result.current.set({ text: 'half' }))
    clearToken()
    first.unmount()
    saveToken('another', '0xaa')
    expect(isDrafted('note')).toBe(true)
    sheet().unmount()
    expect(isDrafted('note')).toBe(false)
  })

  it('restores no field of another type', () => {
    sessionStorage.setItem(
      'drafts',
      JSON.stringify({ owner: '0xaa', drafts: { withdraw: { amount: 7, asset: 'AMC', x: 1 } } }),
    )
    expect(open().current.values).toEqual({ ...EMPTY, asset: 'AMC' })
  })

  it('shows the problem of a field from the first attempt to send until a change', async () => {
    const form = open()
    const sent: string[] = []
    expect(form.current.field('amount').error).toBeUndefined()
    act(() => form.current.submit(({ amount }) => sent.push(amount))())
    await waitFor(() => expect(form.current.field('amount').error).toBe('It is required.'))
    act(() => form.current.field('asset').onChange('AMC'))
    expect(form.current.field('amount').error).toBeUndefined()
    act(() => form.current.field('amount').onChange('2'))
    act(() => form.current.submit(({ amount }) => sent.push(amount))())
    await waitFor(() => expect(sent).toEqual(['2']))
  })

  it('shows the problem of a half-typed field after a pause or when it is left, and not earlier', async () => {
    const short = ({ address }: { address: string }) =>
      address === 'known'
        ? { ok: true as const, address }
        : { ok: false as const, problem: address === '' ? ('required' as const) : ('short' as const) }
    const form = renderHook(() =>
      useDraftForm({
        initial: { address: '' },
        check: (values) => checkOf('address', short(values)),
        text: (problem) => ({ text: `It is ${problem}.`, use: 'known' }),
      }),
    ).result
    const type = (text: string) => act(() => form.current.field('address').onChange(text))
    const error = () => form.current.field('address').error
    vi.useFakeTimers()
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    type('kn')
    expect(error()).toBeUndefined()
    await pass(300)
    type('kno')
    await pass(400)
    expect(error()).toBeUndefined()
    await pass(200)
    expect(error()).toBe('It is short.')
    expect(form.current.field('address').use).toBe('known')
    // It stays while the problem is the same, and disappears with it.
    type('know')
    expect(error()).toBe('It is short.')
    type('known')
    expect(error()).toBeUndefined()
    type('knownx')
    act(() => form.current.field('address').onBlur())
    expect(error()).toBeUndefined()
    await pass(200)
    expect(error()).toBe('It is short.')
    type('')
    expect(error()).toBeUndefined()
  })

  it('checks all fields at every change after the first attempt, with `rechecks`', async () => {
    const form = open(true)
    act(() => form.current.field('amount').onChange(''))
    expect(form.current.field('amount').error).toBeUndefined()
    act(() => form.current.submit(() => undefined)())
    await waitFor(() => expect(form.current.field('amount').error).toBe('It is required.'))
    act(() => form.current.field('asset').onChange('AMC'))
    await act(async () => undefined)
    expect(form.current.field('amount').error).toBe('It is required.')
    act(() => form.current.field('amount').onChange('2'))
    await waitFor(() => expect(form.current.field('amount').error).toBeUndefined())
  })
})
