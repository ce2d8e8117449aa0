import { cleanup } from '@testing-library/react'
import { afterEach, beforeAll } from 'vitest'
import { startI18n } from '../lib/i18n.ts'

// Components and error texts are tested with the real English texts.
beforeAll(() => startI18n())
afterEach(cleanup)
