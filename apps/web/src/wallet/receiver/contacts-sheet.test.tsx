import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import ContactsSheet from './contacts-sheet.tsx'

const at = (digit: string) => `0x${digit.repeat(40)}`
const contact = (digit: string, label: string | null) => ({
  address: at(digit),
  label,
  registered: true,
  last_sent_at: null,
  usable_from: null,
})

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  client.setQueryData(['contacts', {}], { saved: [contact('1', 'Cousin')], recent: [contact('2', null)] })
  client.setQueryData(['names', {}], {
    items: [
      { address: at('1'), name: 'Cousin', note: 'Met in Osaka' },
      { address: at('2'), name: 'Ken', note: null },
      { address: at('3'), name: 'Mother', note: 'new address' },
    ],
  })
  const picked: string[] = []
  render(
    <QueryClientProvider client={client}>
      <ContactsSheet onPick={(address) => picked.push(address)} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  return picked
}

test('an address is picked by its name, with its note below', async () => {
  const picked = open()
  fireEvent.click(await screen.findByRole('button', { name: /^Cousin.*Met in Osaka/ }))
  fireEvent.click(screen.getByRole('button', { name: /^Ken/ }))
  expect(picked).toEqual([at('1'), at('2')])
})

test('an address that was neither saved with a signature nor paid is not offered, whatever its name', async () => {
  open()
  await screen.findByText('Cousin')
  expect(screen.queryByText('Mother')).toBeNull()
})
