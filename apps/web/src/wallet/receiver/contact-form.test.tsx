import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ContactForm } from './contact-form.tsx'

const ADDRESS = `0x${'22'.repeat(20)}`
const original = globalThis.fetch
let sent: { url: string; body: unknown }[]

beforeEach(() => {
  sent = []
  // The test replaces only the network; the API client and the form are real.
  globalThis.fetch = async (url, init) => {
    sent.push({ url: `${url}`, body: JSON.parse(`${init?.body}`) })
    return Response.json({ code: 200, msg: '', data: { address: ADDRESS, note: '' } })
  }
})
afterEach(() => {
  globalThis.fetch = original
})

function show(label: string | null, note: string | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false, retry: false } } })
  client.setQueryData(['names', {}], { items: [{ address: ADDRESS, name: label, note }] })
  let isDone = false
  render(
    <QueryClientProvider client={client}>
      <ContactForm
        contact={{ address: ADDRESS, label }}
        onDone={() => {
          isDone = true
        }}
      />
    </QueryClientProvider>,
  )
  return () => isDone
}

const note = () => screen.getByLabelText('Note') as HTMLTextAreaElement
const save = () => screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement
const write = (text: string) => fireEvent.change(note(), { target: { value: text } })

test('a note is saved separately, without the wallet; the name does not change', async () => {
  const isDone = show('Cousin', 'Osaka')
  expect(note().value).toBe('Osaka')
  expect(save().disabled).toBe(true)
  write('Osaka,\nsecond floor')
  expect(note().value).toBe('Osaka, second floor')
  fireEvent.click(save())
  await waitFor(() => expect(isDone()).toBe(true))
  expect(sent).toEqual([
    { url: expect.stringContaining('me/notes'), body: { address: ADDRESS, note: 'Osaka, second floor' } },
  ])
})

test('an address without a name can have a note; a note can be removed', async () => {
  const isDone = show(null, 'Osaka')
  write('')
  fireEvent.click(save())
  await waitFor(() => expect(isDone()).toBe(true))
  expect(sent.map(({ body }) => body)).toEqual([{ address: ADDRESS, note: '' }])
})

test('invisible characters are refused while typing', () => {
  show(null)
  write('safe\u202egnp')
  expect(screen.getByText('Please use visible characters only')).toBeTruthy()
  expect(save().disabled).toBe(true)
})
