import type { ReactNode } from 'react'
import { copyText, cx, useTranslation } from '../lib/index.ts'
import { Address, type AddressProps } from './address.tsx'
import { Button } from './button.tsx'
import { Section } from './card.tsx'
import { Money, type MoneyProps } from './money.tsx'
import { Time } from './time.tsx'

/** Labelled values, one a line: the fields of an order or a withdrawal. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-2.5 text-14">{children}</dl>
}

/** One labelled value inside `Facts`. */
export function Fact({ label, sum = false, children }: FactProps) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1',
        sum && 'border-t border-line pt-2.5 font-semibold',
      )}
    >
      <dt className={sum ? undefined : 'text-muted'}>{label}</dt>
      <dd className="ml-auto min-w-0 text-right font-medium">{children}</dd>
    </div>
  )
}

export interface FactProps {
  label: ReactNode
  /** The sum of the lines above it: a line separates it from them. */
  sum?: boolean
  children: ReactNode
}

interface Labelled {
  label: ReactNode
}

/** An amount inside `Facts`. */
export const MoneyFact = ({ label, ...money }: Labelled & MoneyProps) => (
  <Fact label={label}>
    <Money {...money} />
  </Fact>
)

/** A time inside `Facts`. */
export const TimeFact = ({ label, value }: Labelled & { value: string | number }) => (
  <Fact label={label}>
    <Time value={value} />
  </Fact>
)

/** A value inside `Facts` that takes lines of its own, which begin below its label. */
export function LongFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** An address or another long id inside `Facts`. */
export function AddressFact({ label, ...address }: { label: string } & AddressProps) {
  const Line = address.form === 'full' && address.value.length >= ADDRESS_LENGTH ? LongFact : Fact
  return (
    <Line label={label}>
      <Address {...address} />
    </Line>
  )
}
const ADDRESS_LENGTH = 42

export type ReceiptLine = readonly [label: string, value: string]

/** Exports a page about something finished: as text, or printed (and so as PDF). */
export function ReceiptButtons({ title, lines }: { title: string; lines: readonly ReceiptLine[] }) {
  const { t } = useTranslation()
  const text = [title, ...lines.map(([label, value]) => `${label}: ${value}`)].join('\n')
  return (
    <div className="print:hidden">
      <Section title={t('receipt.title')}>
        <div className="flex gap-3">
          <Button block variant="secondary" icon="copy" onClick={() => void copyText(text)}>
            {t('receipt.copy')}
          </Button>
          <Button block variant="secondary" icon="doc" onClick={() => window.print()}>
            {t('receipt.print')}
          </Button>
        </div>
      </Section>
    </div>
  )
}
