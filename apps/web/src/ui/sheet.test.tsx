import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { showModal } from '../lib/index.ts'
import { OverlayHost } from './overlay-host.tsx'
import { Sheet } from './sheet.tsx'

const back = () =>
  act(async () => {
    // The history has recorded the opened layer.
    await new Promise((done) => setTimeout(done, 50))
    window.history.back()
    await new Promise((done) => setTimeout(done, 100))
  })

it('closes by back, but not while it must stay open', async () => {
  const close = vi.fn()
  const sheet = (dismissible: boolean) => (
    <Sheet open title="Pay" dismissible={dismissible} onClose={close}>
      100.00 USDT
    </Sheet>
  )
  const { rerender } = render(sheet(false))
  await screen.findByRole('dialog', { name: 'Pay' })
  await back()
  expect(close).not.toHaveBeenCalled()
  rerender(sheet(true))
  await back()
  expect(close).toHaveBeenCalledOnce()
})

it('answers a dialog with no on back', async () => {
  render(<OverlayHost />)
  const answer = showModal({ content: 'End this session?' })
  await screen.findByRole('alertdialog')
  await back()
  expect(await answer).toBe(false)
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
