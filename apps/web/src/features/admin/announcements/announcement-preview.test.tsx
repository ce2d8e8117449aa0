import type { AnnouncementTexts } from '@rif/api-schema'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it } from 'vitest'
import { needAdminTexts } from '../../../lib/index.ts'
import { AnnouncementPreviews } from './announcement-preview.tsx'

const TEXTS: AnnouncementTexts = {
  en: { title: 'Maintenance', text: 'On <b>Sunday</b>' },
  ja: { title: 'メンテナンス', text: '日曜日です。' },
}

beforeAll(() => needAdminTexts())

const languageOf = (title: string) => screen.getByRole('heading', { name: title }).getAttribute('lang')

it('shows each language as its members see it, and marks those that read English', async () => {
  render(<AnnouncementPreviews texts={TEXTS} />)
  expect(languageOf('Maintenance')).toBe('en')
  expect(screen.queryByText(/Nothing is written in/)).toBeNull()

  await userEvent.click(screen.getByRole('radio', { name: '日本語' }))
  expect(languageOf('メンテナンス')).toBe('ja')
  expect(screen.queryByText('Maintenance')).toBeNull()
  expect(screen.queryByText(/Nothing is written in/)).toBeNull()

  await userEvent.click(screen.getByRole('radio', { name: '한국어' }))
  screen.getByText('Nothing is written in 한국어: these members read the English text.')
  expect(languageOf('Maintenance')).toBe('en')
})

it('shows tags as plain text', () => {
  render(<AnnouncementPreviews texts={TEXTS} />)
  expect(screen.getAllByText('On <b>Sunday</b>')).toHaveLength(2)
})
