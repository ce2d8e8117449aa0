import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actionText } from './log-words.ts'

const SERVER = join(import.meta.dirname, '../../../../../server/src/')

test('every action that the server records has a text', () => {
  const files = globSync('**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts', '**/testing/**'] })
  const sources = files.map((file) => readFileSync(`${SERVER}${file}`, 'utf8'))
  const actions = sources.flatMap((text) =>
    [...text.matchAll(/\baction: '([a-z-]+\.[a-z.-]+)'/g)].map(([, action]) => action!),
  )
  expect(actions.length).toBeGreaterThan(15)
  expect(actions.filter((action) => actionText((key) => key, action) === action)).toEqual([])
})
