import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { createQueryClient, needAllTexts, startI18n } from '../lib/index.ts'
import { Button } from '../ui/index.ts'
import { answering } from './answers.ts'

it('a busy button that asked the wallet offers at once to stop waiting', async () => {
  await startI18n()
  await needAllTexts()
  const provider = answering({ request: () => new Promise(() => undefined) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Button moves="agreed" busy>
        Pay
      </Button>
      <Button busy>Load</Button>
    </QueryClientProvider>,
  )
  const stop = () => screen.queryByRole('button', { name: 'Stop waiting' })
  expect(stop()).toBeNull()
  const problem = provider.request({ method: 'eth_sendTransaction' }).catch((error) => error.problem)
  await waitFor(() => expect(stop()).not.toBeNull())
  await userEvent.click(stop()!)
  expect(await problem).toBe('givenUp')
  await waitFor(() => expect(stop()).toBeNull())
})
