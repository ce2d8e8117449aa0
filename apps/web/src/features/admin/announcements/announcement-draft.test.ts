import { LOCALES } from '@rif/api-schema'
import { expect, it } from 'vitest'
import {
  type AnnouncementText,
  announcedIn,
  EMPTY_ANNOUNCEMENT,
  faultyLanguage,
  nameOf,
  readAnnouncement,
  textsOf,
} from './announcement-draft.ts'

const NOW = Date.UTC(2026, 10, 23, 12)
const ENGLISH = { en_title: ' Maintenance ', en_text: 'On Sunday.' }
const read = (typed: Partial<AnnouncementText>) => readAnnouncement({ ...EMPTY_ANNOUNCEMENT, ...typed }, NOW)

it('reads the written texts, without languages that have none', () => {
  expect(read({ ...ENGLISH, ja_title: 'メンテナンス', ja_text: '日曜日です。', ko_text: '  ' })).toEqual({
    ok: true,
    payload: {
      texts: {
        en: { title: 'Maintenance', text: 'On Sunday.' },
        ja: { title: 'メンテナンス', text: '日曜日です。' },
      },
      expires_at: null,
    },
  })
  expect(read({ ...ENGLISH, expires_at: '2026-11-24T08:30' })).toMatchObject({
    payload: { expires_at: '2026-11-24T08:30:00.000Z' },
  })
})

it.each([
  [{}, { en_title: 'missing', en_text: 'missing' }],
  [
    { ja_title: 'あ', ja_text: 'い' },
    { en_title: 'missing', en_text: 'missing' },
  ],
  [{ ...ENGLISH, ko_text: '일요일' }, { ko_title: 'missing' }],
  [{ ...ENGLISH, zh_title: '公告', zh_text: '见 https://rif.example' }, { zh_text: 'link' }],
  [{ ...ENGLISH, en_text: `Send to 0x${'a1'.repeat(20)}` }, { en_text: 'address' }],
  [{ ...ENGLISH, en_title: 'New\u202es' }, { en_title: 'hidden' }],
  [{ ...ENGLISH, expires_at: '2026-11-23T11:59' }, { expires_at: 'past' }],
  [{ ...ENGLISH, expires_at: '2026-11' }, { expires_at: 'past' }],
])('tells what is wrong with %j', (typed, problems) => {
  expect(read(typed)).toEqual({ ok: false, problems })
})

it('shows the first language with a problem', () => {
  expect(faultyLanguage({ ko_title: 'missing', zh_text: 'link' })).toBe('zh-Hans')
  expect(faultyLanguage({ expires_at: 'past' })).toBeUndefined()
})

it('shows the text that members of each language read: their own or the English one', () => {
  const texts = textsOf({ ...EMPTY_ANNOUNCEMENT, ...ENGLISH, ja_title: 'お知らせ', ja_text: '本文' })
  expect(announcedIn(texts, 'ja')).toEqual({ title: 'お知らせ', text: '本文', language: 'ja' })
  expect(announcedIn(texts, 'ko')).toEqual({ title: 'Maintenance', text: 'On Sunday.', language: 'en' })
  expect(announcedIn({}, 'ko')).toEqual({ title: '', text: '', language: 'en' })
})

it('names each language in itself', () => {
  expect(LOCALES.map(nameOf)).toEqual(['English', '简体中文', '日本語', '한국어'])
})
