import { afterEach, expect, it, vi } from 'vitest'
import { createCover } from './cover.ts'

let stop = new AbortController()
afterEach(() => {
  stop.abort()
  stop = new AbortController()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'hidden')
})

const covered = () => document.querySelector('[data-cover]') !== null
function show(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}
const display = (standalone: boolean) => vi.stubGlobal('matchMedia', () => ({ matches: standalone }))

it('covers the hidden page until the return is allowed', () => {
  display(false)
  let mayReturn = false
  createCover(() => mayReturn, stop.signal)
  show(true)
  expect(covered()).toBe(true)
  show(false)
  expect(covered()).toBe(true)
  mayReturn = true
  show(false)
  expect(covered()).toBe(false)
})

it('covers the installed app as soon as it loses the focus, but not a browser’s page', () => {
  display(false)
  createCover(() => true, stop.signal)
  window.dispatchEvent(new Event('blur'))
  expect(covered()).toBe(false)
  display(true)
  window.dispatchEvent(new Event('blur'))
  expect(covered()).toBe(true)
  window.dispatchEvent(new Event('focus'))
  expect(covered()).toBe(false)
  window.dispatchEvent(new Event('pagehide'))
  expect(covered()).toBe(true)
})
