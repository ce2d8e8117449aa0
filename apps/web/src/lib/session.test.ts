import { beforeEach, expect, it } from 'vitest'
import { clearSession, endedSession, endSession, isSignedIn, saveToken, takeReturnPath } from './session.ts'

beforeEach(clearSession)

it('a session that ended leads the same member back to the page, once', () => {
  saveToken('t1', '0xann')
  endSession('/pages/withdrawal/list?status=Success')
  expect(isSignedIn()).toBe(false)
  expect(endedSession()?.path).toBe('/pages/withdrawal/list?status=Success')
  saveToken('t2', '0xann')
  expect(takeReturnPath()).toBe('/pages/withdrawal/list?status=Success')
  expect([takeReturnPath(), endedSession()]).toEqual([null, null])
})

it('leads no other member there, and nobody after signing out', () => {
  saveToken('t1', '0xann')
  endSession('/pages/my/index')
  saveToken('t2', '0xben')
  expect(takeReturnPath()).toBeNull()
  endSession('/pages/my/index')
  clearSession()
  expect(endedSession()).toBeNull()
})
