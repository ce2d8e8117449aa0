import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDraft } from './draft.ts'
import { clearSession, clearToken, saveToken } from './session.ts'

const EMPTY = { asset: 'USDT', amount: '', toOwnWallet: true }
const open = () => renderHook(() => useDraft('withdraw', EMPTY)).result

beforeEach(() => {
  clearSession()
  saveToken('t', '0xaa')
})

describe('useDraft', () => {
  it('is there again after a reload and after a new sign-in of the same address', () => {
    const form = open()
    act(() => form.current.change({ ...EMPTY, amount: '12.5' }))
    expect(open().current.draft).toEqual({ ...EMPTY, amount: '12.5' })
    clearToken()
    saveToken('another', '0xaa')
    expect(open().current.draft.amount).toBe('12.5')
  })

  it('is not for another address, not for after a disconnect, and over when it was sent', () => {
    const form = open()
    act(() => form.current.change({ ...EMPTY, amount: '12.5' }))
    saveToken('t', '0xbb')
    expect(open().current.draft.amount).toBe('')
    saveToken('t', '0xaa')
    act(() => form.current.clear())
    expect(open().current.draft.amount).toBe('')
    act(() => form.current.change({ ...EMPTY, amount: '3' }))
    clearSession()
    saveToken('t', '0xaa')
    expect(open().current.draft.amount).toBe('')
  })

  it('takes no field of another kind from what was kept', () => {
    sessionStorage.setItem(
      'drafts',
      JSON.stringify({ owner: '0xaa', drafts: { withdraw: { amount: 7, asset: 'AMC', x: 1 } } }),
    )
    expect(open().current.draft).toEqual({ ...EMPTY, asset: 'AMC' })
  })
})
