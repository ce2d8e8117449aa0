import { afterEach, expect, it, vi } from 'vitest'
import { copyText } from './clipboard.ts'
import { startI18n } from './i18n.ts'
import { toastStore } from './overlays.ts'

const TEXT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Over plain HTTP there is no `navigator.clipboard`; `copies` is what the browser does with a selected text. */
async function copy(copies: boolean | undefined) {
  await startI18n()
  vi.stubGlobal('navigator', { language: 'en', languages: ['en'] })
  let selected = ''
  const command = () => {
    const field = document.activeElement as HTMLTextAreaElement
    selected = field.value.slice(field.selectionStart, field.selectionEnd)
    return copies
  }
  Object.assign(document, { execCommand: copies === undefined ? undefined : command })
  const prompt = vi.fn()
  vi.stubGlobal('prompt', prompt)
  toastStore.setState(null, true)
  await copyText(TEXT)
  return { selected, offered: prompt.mock.calls, toast: toastStore.getState()?.text }
}

afterEach(() => vi.unstubAllGlobals())

it('copies over plain HTTP by selecting the text', async () => {
  expect(await copy(true)).toEqual({ selected: TEXT, offered: [], toast: 'Copy success' })
  expect(document.querySelector('textarea')).toBeNull()
})

it.each([false, undefined])(
  'offers the selected text where the browser does not copy (%s)',
  async (copies) => {
    const { offered, toast } = await copy(copies)
    expect(offered).toEqual([['Copy this text:', TEXT]])
    expect(toast).toBeUndefined()
  },
)
