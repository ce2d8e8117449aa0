import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import {
  apiQuery,
  createQueryClient,
  endOf,
  excessOf,
  showModal,
  showToast,
  toAmount,
  useTranslation,
} from '../lib/index.ts'
import { Address } from './address.tsx'
import { AmountField, UnitsField } from './amount-field.tsx'
import { Button } from './button.tsx'
import { placesOf, scaleOf, tickText } from './chart-scale.ts'
import { LineChart } from './charts.tsx'
import { currencyText } from './currency-rates.ts'
import { ChartTable } from './data-table.tsx'
import { tooMuch } from './faults.ts'
import { Switch, TextField } from './field.tsx'
import { checkOf, Form, useDraftForm } from './form.tsx'
import { PullToRefresh } from './infinite-list.tsx'
import { Money } from './money.tsx'
import { OverlayHost } from './overlay-host.tsx'
import { Segmented } from './segmented.tsx'
import { QuoteSheet } from './sheet.tsx'
import { Stepper } from './stepper.tsx'
import { formatLeft } from './time.tsx'

function Amount() {
  const [value, setValue] = useState('')
  return (
    <>
      <AmountField label="Amount" unit="USDT" value={value} onChange={setValue} max="1250.500000" />
      <output>{value}</output>
    </>
  )
}

/** The text under a field. */
const under = (field: HTMLElement) =>
  field
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)!.textContent)
    .join('')

describe('AmountField', () => {
  const field = () => screen.getByLabelText<HTMLInputElement>('Amount')
  const passedOn = () => screen.getByRole('status').textContent

  it('reads pasted text, and fills in the maximum with decimals', async () => {
    render(<Amount />)
    await userEvent.click(field())
    await userEvent.paste('  1,234.5 USDT')
    expect([passedOn(), under(field())]).toEqual(['1234.5', 'Understood: 1,234.50 USDT'])
    await userEvent.click(screen.getByRole('button', { name: 'Max' }))
    expect([passedOn(), field().value]).toEqual(['1250.5', '1250.50'])
    expect(under(field())).toBe('Understood: 1,250.50 USDT')
  })

  it.each([
    ['1.5.', 'Not clear. Type it like 1500.25.'],
    ['0.05.', 'Not clear. Type it like 1500.25.'],
    ['0,125', 'Not clear. Type it like 1500.25.'],
    ['1,500', 'This can be read in two ways. Type 1,500.00 or 1.50.'],
    ['12 AMC', 'The unit of this amount is USDT.'],
    ['ten', 'Not a number. Type it like 1500.25.'],
    ['0.1234567', 'At most 6 decimals.'],
  ])('refuses %s while it is typed, with what it accepts', async (text, note) => {
    render(<Amount />)
    await userEvent.type(field(), text)
    expect([field().value, under(field())]).toEqual([text, note])
    expect(toAmount(passedOn())).toBeNull()
  })

  it.each(['en-US', 'de-DE', 'fr-FR', 'ar-EG', 'en-IN'])(
    'reads and writes alike in a browser set to %s',
    async (browser) => {
      vi.spyOn(navigator, 'language', 'get').mockReturnValue(browser)
      vi.spyOn(navigator, 'languages', 'get').mockReturnValue([browser])
      render(<Amount />)
      await userEvent.click(field())
      await userEvent.paste('0.125')
      expect([passedOn(), under(field())]).toEqual(['0.125', 'Understood: 0.125 USDT'])
      await userEvent.clear(field())
      await userEvent.paste('1,234,500.00')
      expect([passedOn(), under(field())]).toEqual(['1234500', 'Understood: 1,234,500.00 USDT'])
      expect(currencyText(1_234_500_000_000n, { currency: 'EUR', rate: 1_000_000n })).toBe('€1,234,500.00')
      vi.restoreAllMocks()
    },
  )

  it('takes a typed unit with it only as long as it is the unit of the field', async () => {
    const onChange = vi.fn()
    const amount = (unit: string, value: string) => (
      <AmountField label="Amount" unit={unit} value={value} onChange={onChange} />
    )
    const { rerender } = render(amount('AMC', ''))
    await userEvent.click(field())
    await userEvent.paste('12 USDT')
    const refused = onChange.mock.lastCall?.[0] as string
    rerender(amount('AMC', refused))
    expect(under(field())).toBe('The unit of this amount is AMC.')
    rerender(amount('USDT', refused))
    expect(onChange.mock.lastCall).toEqual(['12'])
    rerender(amount('USDT', '12'))
    rerender(amount('AMC', '12'))
    expect(field().value).toBe('12.00')
  })
})

function Units() {
  const [value, setValue] = useState('')
  return (
    <UnitsField
      label="Units"
      unit="units"
      lessLabel="Less"
      moreLabel="More"
      min={1n}
      value={value}
      onChange={setValue}
    />
  )
}

it('shows a check at a step that is done, whoever had to do it', () => {
  const steps = [
    { id: 'ask', title: 'Ask', state: 'done' },
    { id: 'claim', title: 'Claim it', state: 'done', isYours: true },
    { id: 'sign', title: 'Sign', state: 'active', isYours: true },
  ] as const
  render(<Stepper label="Withdrawal" steps={steps} />)
  const dots = screen.getAllByRole('listitem').map((step) => step.textContent)
  expect(dots).toEqual(['Ask', 'Claim it', '3Sign'])
})

it('refuses parts of whole units', async () => {
  render(<Units />)
  const field = screen.getByLabelText<HTMLInputElement>('Units')
  await userEvent.type(field, '1.5')
  expect([field.value, under(field)]).toEqual(['1.5', 'Whole numbers only.'])
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  expect([field.value, under(field)]).toEqual(['1', ''])
})

/** An amount with 412.60 available, checked while it is typed. */
function Checked() {
  const { t } = useTranslation()
  const form = useDraftForm({
    initial: { amount: '' },
    check: ({ amount }) =>
      checkOf(
        'amount',
        excessOf(amount, '412.600000') === null
          ? { ok: true as const }
          : { ok: false as const, problem: 'insufficient' as const },
      ),
    text: (_, { amount }) => tooMuch(t, { typed: amount, most: '412.600000' }),
  })
  return <AmountField label="Amount" unit="USDT" {...form.field('amount')} />
}

it('states by how much an amount is too high, politely, and offers a valid amount as a button', async () => {
  render(<Checked />)
  const field = screen.getByLabelText('Amount')
  await userEvent.type(field, '500')
  const [read, note] = field
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)!)
  expect(note!.getAttribute('aria-live')).toBe('polite')
  expect(note!.textContent).toBe('')
  await waitFor(() => expect(note!.textContent).toBe('87.40 more than is available.'))
  expect(read!.textContent).toBe('Understood: 500.00 USDT')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Use 412.60' }))
  expect(field).toHaveProperty('value', '412.60')
  expect(note!.textContent).toBe('')
})

/** A form of three fields, two of which must be filled in. */
function Order({ onSend }: { onSend: () => void }) {
  const form = useDraftForm({
    initial: { limit: '1', amount: '', price: '' },
    check: ({ amount, price }) =>
      amount !== '' && price !== ''
        ? { ok: true as const }
        : {
            ok: false as const,
            problems: { ...(amount === '' && { amount: 'none' }), ...(price === '' && { price: 'none' }) },
          },
    text: () => 'Enter an amount.',
  })
  return (
    <Form aria-label="Order" onSubmit={form.submit(onSend)}>
      <AmountField label="Limit" unit="USDT" {...form.field('limit')} />
      <AmountField label="Amount" unit="USDT" {...form.field('amount')} />
      <TextField label="Price" {...form.textField('price')} />
      <Button type="submit">Send</Button>
    </Form>
  )
}

it('moves the focus to the first field that stops a form from being sent', async () => {
  const onSend = vi.fn()
  render(<Order onSend={onSend} />)
  const focused = () => document.activeElement?.getAttribute('id')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(focused()).toBe(screen.getByLabelText('Amount').id))
  await userEvent.keyboard('5{Enter}')
  await waitFor(() => expect(focused()).toBe(screen.getByLabelText('Price').id))
  expect(onSend).not.toHaveBeenCalled()
  await userEvent.keyboard('2{Enter}')
  await waitFor(() => expect(onSend).toHaveBeenCalledTimes(1))
})

describe('Money', () => {
  it('shows all decimals on a tap, and only offers that when some are left out', async () => {
    render(<Money amount="0.123456" unit="AMC" />)
    await userEvent.click(screen.getByRole('button', { name: /0\.12/ }))
    expect(screen.getByRole('button').textContent).toBe('0.123456 AMC')
    render(<Money amount="5.000000" unit="USDT" signed />)
    expect(screen.getByText('+5.00')).toBeTruthy()
  })
})

it('a page that is pulled down far enough from its top is refreshed, once', async () => {
  const onRefresh = vi.fn(() => Promise.resolve())
  render(<PullToRefresh onRefresh={onRefresh} />)
  const pullTo = (clientY: number) => {
    fireEvent.touchStart(document.body, { touches: [{ clientY: 10 }] })
    fireEvent.touchMove(document.body, { touches: [{ clientY }] })
    fireEvent.touchEnd(document.body)
  }
  pullTo(110)
  expect(onRefresh).not.toHaveBeenCalled()
  pullTo(150)
  pullTo(150)
  expect(onRefresh).toHaveBeenCalledTimes(1)
  await expect.poll(() => screen.queryByRole('status')).toBeNull()
})

describe('controls', () => {
  it('ignores clicks while busy', async () => {
    const onClick = vi.fn()
    render(
      <Button busy onClick={onClick}>
        Pay
      </Button>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Pay' }))
    expect(onClick).not.toHaveBeenCalled()
  })

  it('can be operated by keyboard and by tap', async () => {
    const onChange = vi.fn()
    const options = [
      { value: 'left', label: 'Left' },
      { value: 'right', label: 'Right' },
    ] as const
    render(<Segmented label="Side" options={options} value="left" onChange={onChange} />)
    await userEvent.click(screen.getByRole('radio', { name: 'Right' }))
    expect(onChange).toHaveBeenCalledWith('right')
    const onSwitch = vi.fn()
    render(<Switch label="Discount" checked={false} onChange={onSwitch} />)
    await userEvent.click(screen.getByRole('switch', { name: 'Discount' }))
    expect(onSwitch).toHaveBeenCalledWith(true)
  })

  it('formats the remaining time', () => {
    expect([0, 1, 61_000, 3_661_000].map(formatLeft)).toEqual(['0:00', '0:01', '1:01', '1:01:01'])
  })
})

describe('overlays', () => {
  it('removes a toast when its duration has passed', async () => {
    await import('./dialogs.tsx')
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    render(<OverlayHost />)
    act(() => showToast('passing', { durationMs: 2000 }))
    await screen.findByText('passing')
    vi.useFakeTimers()
    act(() => showToast('short', { durationMs: 2000 }))
    act(() => vi.advanceTimersByTime(1999))
    expect(screen.queryByText('short')).not.toBeNull()
    act(() => vi.advanceTimersByTime(1))
    vi.useRealTimers()
    await waitFor(() => expect(screen.queryByText('short')).toBeNull())
  })

  it('shows one toast at a time and asks a question once', async () => {
    render(<OverlayHost />)
    showToast('first')
    showToast('second')
    expect(await screen.findByText('second')).toBeTruthy()
    expect(screen.queryByText('first')).toBeNull()
    expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite')
    const answer = showModal({ title: 'prompt', content: 'Go on?' })
    expect(await showModal({ content: 'Go on?' })).toBe(false)
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
    expect(await answer).toBe(true)
  })
})

describe('QuoteSheet', () => {
  const sheet = (until: string) => {
    const [confirm, renew] = [vi.fn(), vi.fn()]
    const client = createQueryClient()
    client.setQueryData(apiQuery('pauses').queryKey, {
      paused: [],
      paused_since: null,
      guard: [],
      guard_since: null,
      audited_at: null,
    })
    render(
      <QueryClientProvider client={client}>
        <QuoteSheet
          {...{ title: 'Offer', until, confirmText: 'Take it', isBusy: false, isRenewing: false }}
          onConfirm={confirm}
          onRenew={renew}
          onClose={() => undefined}
        >
          <p>terms</p>
        </QuoteSheet>
      </QueryClientProvider>,
    )
    return { confirm, renew }
  }

  it('offers one confirmation while the offer is valid, and a new offer afterwards', async () => {
    const { confirm } = sheet(endOf(60_000))
    expect(await screen.findByRole('timer')).toHaveProperty('textContent', '1:00')
    await userEvent.click(screen.getByRole('button', { name: 'Take it' }))
    expect(confirm).toHaveBeenCalledOnce()
    cleanup()
    const { renew } = sheet(endOf(-1))
    await userEvent.click(await screen.findByRole('button', { name: 'Get a new quote' }))
    expect(renew).toHaveBeenCalledOnce()
    expect(screen.queryByRole('button', { name: 'Take it' })).toBeNull()
  })
})

describe('LineChart', () => {
  const DAY_MS = 86_400_000

  it('places points by their times, at equal distances without them, and a single one at the end', () => {
    const times = [0, 1, 10].map((day) => day * DAY_MS)
    expect(placesOf(3, times)).toEqual([0, 0.1, 1])
    expect(placesOf(3)).toEqual([0, 0.5, 1])
    expect(placesOf(1)).toEqual([1])
  })

  it('has an axis of round values around its own, which includes 0 under bars', () => {
    expect(scaleOf([3_217, 3_988]).ticks).toEqual([3_200, 3_400, 3_600, 3_800, 4_000])
    expect(scaleOf([3_217, 3_988], { fromZero: true }).ticks).toEqual([0, 1_000, 2_000, 3_000, 4_000])
    const nav = scaleOf([10.3, 10.42])
    expect(nav.ticks.map((tick) => tickText(tick, nav.decimals))).toEqual([
      '10.30',
      '10.35',
      '10.40',
      '10.45',
    ])
    expect(scaleOf([29, 31], { whole: true }).ticks).toEqual([29, 30, 31])
    expect(scaleOf([30, 40], { whole: true }).ticks).toEqual([30, 33, 36, 39, 42])
    for (const values of [[], [0], [5, 5], [-3, 12]]) {
      const { low, high, ticks } = scaleOf(values)
      expect(
        values.every((value) => value >= low && value <= high),
        `${values}`,
      ).toBe(true)
      expect(ticks.length, `${values}`).toBeGreaterThan(1)
    }
    expect([tickText(1_250, 0), tickText(-0.5, 1), tickText(2_500_000, 0)]).toEqual(['1,250', '−0.5', '2.5M'])
  })

  it('holds a published value until the next one, and marks events', () => {
    const points = [1, 2].map((value) => ({ key: `${value}`, text: '', value, event: `Sale ${value}` }))
    const { container, getByText } = render(
      <LineChart steps label="NAV" points={points} selected={null} onSelect={() => {}} from="0" to="1" />,
    )
    expect(container.querySelector('path[fill="none"]')?.getAttribute('d')).toBe('M0.0 100.0H320.0V0.0')
    expect(getByText('Sale 2')).toBeTruthy()
  })

  it('states why a range is empty', () => {
    const { getByText, queryByRole } = render(
      <LineChart
        label="NAV"
        points={[]}
        selected={null}
        onSelect={() => {}}
        from="0"
        to="1"
        empty="No value yet"
      />,
    )
    expect(getByText('No value yet')).toBeTruthy()
    expect(queryByRole('slider')).toBeNull()
  })

  it('draws its line by the times of its points', () => {
    const points = [0, 1, 10].map((day) => {
      const text = `day ${day}`
      return { key: text, text, value: day, at: day * DAY_MS }
    })
    const { container } = render(
      <LineChart label="NAV" points={points} selected={null} onSelect={() => {}} from="0" to="10" />,
    )
    expect(container.querySelector('path[fill="none"]')?.getAttribute('d')).toBe(
      'M0.0 100.0L32.0 90.0L320.0 0.0',
    )
  })
})

describe('ChartTable', () => {
  it('writes its rows once it is unfolded, and not before', async () => {
    const rows = vi.fn(() => [['22 Nov 2026', '1.00']])
    render(<ChartTable caption="Total" head={['Day', 'USDT']} rows={rows} />)
    expect([rows.mock.calls.length, screen.queryByText('22 Nov 2026')]).toEqual([0, null])
    const fold = document.querySelector('details')!
    await userEvent.click(fold.querySelector('summary')!)
    expect(await screen.findByText('22 Nov 2026')).toBeDefined()
    await userEvent.click(fold.querySelector('summary')!)
    expect(fold.open).toBe(false)
  })
})

describe('Address', () => {
  it('shows in a narrow place the first 6 and last 4 characters, and the rest on demand', () => {
    const value = `0x${'12'.repeat(19)}Ab`
    render(<Address value={value} form="ends" copy={false} />)
    expect(screen.getByTitle(value).textContent).toBe('0x1212…12Ab')
  })
})
