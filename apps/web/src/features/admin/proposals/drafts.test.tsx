import type { MemberHold, Proposal } from '@rif/api-schema'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { clearToken, createQueryClient, needAdminTexts, saveToken } from '../../../lib/index.ts'
import { HoldCard } from '../search/member-holds.tsx'
import { Decision } from './decision.tsx'
import { PrepareSheet, useProposals, type Wanted } from './use-proposals.tsx'

const ME = '0xaa'
const unfreeze = (member: string) => ({ kind: 'unfreeze' as const, payload: { member_id: member } })
const PROPOSAL = { proposal_id: '7', state: 'Open', may_decide: true } as Proposal

function show(children: ReactNode) {
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { enabled: false } })
  client.setQueryData(['adminMe', {}], { role: 'operator' })
  return render(<QueryClientProvider client={client}>{children}</QueryClientProvider>)
}
const prepare = (member: string) =>
  show(<PrepareSheet title="Unfreeze" wanted={unfreeze(member)} onClose={() => undefined} />)

async function textOf(label: RegExp): Promise<string> {
  return ((await screen.findByLabelText(label)) as HTMLInputElement).value
}

async function type(label: RegExp, text: string) {
  fireEvent.change(await screen.findByLabelText(label), { target: { value: text } })
}

/** Simulates a 401: the page is left, and the same address signs in again. */
function signInAgain(view: { unmount: () => void }) {
  clearToken()
  view.unmount()
  saveToken('another', ME)
}

beforeAll(() => needAdminTexts())
beforeEach(() => saveToken('t', ME))

it('keeps the reason of a proposal across the end of a session, for the same content only', async () => {
  const view = prepare('1')
  await type(/^Reason/, 'identity confirmed')
  signInAgain(view)
  const other = prepare('2')
  expect(await textOf(/^Reason/)).toBe('')
  other.unmount()
  prepare('1')
  expect(await textOf(/^Reason/)).toBe('identity confirmed')
})

it('discards the reason when the sheet is closed', async () => {
  const view = prepare('1')
  await type(/^Reason/, 'identity confirmed')
  view.unmount()
  prepare('1')
  expect(await textOf(/^Reason/)).toBe('')
})

it('keeps the remark of a decision across the end of a session, until it is left', async () => {
  const decide = () => show(<Decision proposal={PROPOSAL} onDone={() => undefined} />)
  const view = decide()
  await type(/^Remark/, 'wrong member')
  signInAgain(view)
  const second = decide()
  expect(await textOf(/^Remark/)).toBe('wrong member')
  second.unmount()
  decide()
  expect(await textOf(/^Remark/)).toBe('')
})

const reason = () => screen.queryByLabelText<HTMLInputElement>(/^Reason/)?.value ?? null

it.each(['Freeze', 'Hold'])(
  'opens the sheet to %s a member again after the end of a session, until it is closed',
  async (name) => {
    const hold = { frozen: false, flagged: false, freeze_reason: null } as MemberHold
    const card = () => show(<HoldCard memberId="1" hold={hold} />)
    const view = card()
    fireEvent.click(screen.getByRole('button', { name: new RegExp(`^${name}`) }))
    await type(/^Reason/, 'stolen wallet')
    signInAgain(view)
    const second = card()
    expect(await textOf(/^Reason/)).toBe('stolen wallet')
    second.unmount()
    card()
    expect(reason()).toBeNull()
  },
)

function Proposals({ place, onDone }: { place: string; onDone?: () => void }) {
  const { want, sheets } = useProposals({ place })
  const ask = () => want(unfreeze('1') satisfies Wanted, onDone)
  return (
    <>
      <button type="button" onClick={ask}>
        Propose
      </button>
      {sheets}
    </>
  )
}

it('opens the sheet of a proposal again at its own place after the end of a session, until it is closed', async () => {
  const view = show(<Proposals place="hold 1" />)
  fireEvent.click(screen.getByText('Propose'))
  await type(/^Reason/, 'identity confirmed')
  signInAgain(view)
  const other = show(<Proposals place="hold 12" />)
  expect(reason()).toBeNull()
  other.unmount()
  const second = show(<Proposals place="hold 1" />)
  expect(await textOf(/^Reason/)).toBe('identity confirmed')
  second.unmount()
  show(<Proposals place="hold 1" />)
  expect(reason()).toBeNull()
})

it('leaves a proposal that came from a form to the form, with its reason', async () => {
  const page = () => show(<Proposals place="cap 1" onDone={() => undefined} />)
  const view = page()
  fireEvent.click(screen.getByText('Propose'))
  await type(/^Reason/, 'identity confirmed')
  signInAgain(view)
  page()
  expect(reason()).toBeNull()
  fireEvent.click(screen.getByText('Propose'))
  expect(await textOf(/^Reason/)).toBe('identity confirmed')
})
