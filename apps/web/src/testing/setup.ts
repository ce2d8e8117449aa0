import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { needAllTexts, startI18n } from '../lib/index.ts'

// What is looked for may take its time where other work runs beside.
configure({ asyncUtilTimeout: 10_000 })

// Components and error texts are tested with the real English texts.
beforeAll(() => Promise.all([startI18n(), needAllTexts()]))
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
