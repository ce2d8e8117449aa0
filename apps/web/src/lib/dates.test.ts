import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  dayGroup,
  dayWords,
  formatClock,
  formatDate,
  formatDay,
  formatDayShort,
  formatMonth,
  formatTime,
  formatTimeExact,
  formatTimeUtc,
  parseTime,
} from './dates.ts'
import { setLanguageOption } from './i18n.ts'

/** In the machine's zone, like a member's times. */
const NOW = new Date(2026, 10, 22, 12)
const AT = new Date(2026, 10, 22, 23, 5, 7).toISOString()

function inBrowser(...languages: string[]) {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)
}

afterEach(async () => {
  vi.restoreAllMocks()
  await setLanguageOption('en')
})

describe('dates in the language of the member', () => {
  it.each([
    ['en', [], '22 Nov, 23:05', '22 Nov 2026', 'November 2026'],
    ['en', ['en-US', 'en'], 'Nov 22, 11:05\u00a0PM', 'Nov 22, 2026', 'November 2026'],
    ['ja', ['en-US'], '11月22日 23:05', '2026年11月22日', '2026年11月'],
    ['ko', ['ko-KR'], '11월 22일 오후\u00a011:05', '2026년 11월 22일', '2026년 11월'],
    ['zh-Hant', [], '11月22日 23:05', '2026年11月22日', '2026年11月'],
  ] as const)('%s in a browser of %j: %s', async (option, languages, time, day, month) => {
    inBrowser(...languages)
    await setLanguageOption(option)
    expect(formatTime(AT, NOW)).toBe(time)
    expect(formatDay('2026-11-22')).toBe(day)
    expect(formatMonth('2026-11')).toBe(month)
  })

  it("the browser's language does not matter if it differs from that of the texts", () => {
    inBrowser('fr-FR', 'de-DE')
    expect(formatTime(AT, NOW)).toBe('22 Nov, 23:05')
  })

  it('shows another year, the seconds with their zone, and UTC', () => {
    inBrowser()
    expect(formatTime(new Date(2025, 0, 31, 9, 5).getTime(), NOW)).toBe('31 Jan 2025, 09:05')
    expect(formatTimeExact(AT)).toMatch(/^22 Nov 2026, 23:05:07 (UTC|GMT)/)
    expect(formatTimeUtc('2026-11-22T23:05:07.000Z')).toBe('22 Nov 2026, 23:05:07 UTC')
    expect([formatClock(AT), formatDate(AT), formatDayShort('2026-11-22')]).toEqual([
      '23:05',
      '22 Nov 2026',
      '22 Nov',
    ])
  })

  it('leaves invalid times and days unchanged', () => {
    expect([formatTime('nonsense'), formatDay('nonsense'), formatClock('nonsense')]).toEqual([
      null,
      'nonsense',
      '',
    ])
  })
})

it('reads numbers of up to ten digits as seconds', () => {
  expect(parseTime(1_767_225_600)?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(parseTime(1_767_225_600_000)?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
  expect(parseTime('nonsense')).toBeNull()
})

it.each(['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
  'groups times in %s by the days of which they show the time',
  (zone) => {
    vi.stubEnv('TZ', zone)
    const now = new Date(2026, 2, 29, 0, 30)
    const group = (day: number, hour: number, minute = 0) =>
      dayGroup(new Date(2026, 2, day, hour, minute).toISOString(), now)
    expect([group(29, 0), group(29, 0, 40), group(28, 23, 59), group(28, 0), group(27, 23, 59)]).toEqual([
      'today',
      'today',
      'yesterday',
      'yesterday',
      'older',
    ])
    vi.unstubAllEnvs()
  },
)

it('names the days of a list in words', () => {
  inBrowser()
  expect(dayWords(AT, NOW)).toEqual({ words: 'Sunday 22 November', group: 'today' })
  expect(dayWords(new Date(2026, 10, 21, 9).toISOString(), NOW).group).toBe('yesterday')
})
