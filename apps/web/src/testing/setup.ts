import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll, vi } from 'vitest'
import { browser, modalStore, needAllTexts, refusalStore, startI18n, toastStore } from '../lib/index.ts'

// What is looked for may take its time where other work runs beside.
configure({ asyncUtilTimeout: 60_000 })

// Components and error texts are tested with the real English texts.
beforeAll(() => Promise.all([startI18n(), needAllTexts()]))
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  // The files share their modules, and with them what these keep.
  modalStore.setState([], true)
  toastStore.setState(null, true)
  refusalStore.setState(null, true)
  browser.history.replaceState({ __TSR_index: 0 }, '', '/')
  vi.restoreAllMocks()
  window.dispatchEvent(new Event('online'))
})
