import { cleanup } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { needAllTexts, startI18n } from '../lib/i18n.ts'

// Components and error texts are tested with the real English texts.
beforeAll(() => Promise.all([startI18n(), needAllTexts()]))
afterEach(cleanup)
