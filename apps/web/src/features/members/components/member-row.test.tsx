import type { TeamMember } from '@rif/api-schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { levelName, needAllTexts, t } from '../../../lib/index.ts'
import { MemberRow } from './member-row.tsx'

const OWN = `0x${'1'.repeat(40)}`
const INVITER = `0x${'2'.repeat(40)}`
const MEMBER: TeamMember = {
  member_id: '7',
  address: `0x${'3'.repeat(40)}`,
  inviter_address: INVITER,
  join_time: '2026-01-02T03:04:05.000Z',
  section: 'left',
  level: 3,
  state: 'active',
  valid: true,
  invited_count_all: 0,
  invited_count_valid: 0,
  team_size_all: 0,
  team_size_valid: 0,
  investment: '1000.000000',
  team_investment: '0.000000',
}

/** Returns the text of the row outside the cells that only a desktop shows. */
function phoneText(member: TeamMember): string {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <MemberRow member={member} label={undefined} own={OWN} onShow={() => undefined} />
    </QueryClientProvider>,
  )
  const row = screen.getByRole('button').cloneNode(true) as HTMLElement
  for (const cell of row.querySelectorAll('.hidden')) cell.remove()
  unmount()
  return row.textContent ?? ''
}

beforeAll(() => needAllTexts())

it("shows a phone the join time, the inviter, the level and the side, also of the viewer's own invitee", () => {
  for (const [inviter_address, words] of [
    [INVITER, 'invited by 0x2222…2222'],
    [OWN, 'invited by you'],
  ] as const) {
    const text = phoneText({ ...MEMBER, inviter_address })
    for (const part of [words, 'Left', 'VIP 3', 'Jan 2, 2026']) expect(text).toContain(part)
    expect(text).not.toContain('Deactivated')
  }
})

it('shows a phone that a member is deactivated', () => {
  expect(phoneText({ ...MEMBER, state: 'deactivated' })).toContain('Deactivated')
})

describe('the name of a level', () => {
  it('is that of its key in the specification', () => {
    expect([1, 2, 3, 4, 5].map((level) => levelName(t, level))).toEqual(
      ['list_vip0', 'list_vip1', 'list_vip2', 'list_vip3', 'list_vip4'].map((key) =>
        t(`vip.${key}` as 'vip.list_vip0'),
      ),
    )
    expect(levelName(t, 5)).toBe('VIP 5')
  })

  it('is the first one for a level without a name, and says that there is none before the first package', () => {
    expect(levelName(t, 6)).toBe(t('vip.list_vip0'))
    expect(levelName(t, 0)).toBe('No level yet')
  })
})
