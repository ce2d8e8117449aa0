import type { FundBooks, FundInvestment, FundProductDetail, FundValuation } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { type ReactNode, useState } from 'react'
import { cx, formatAmount, formatCount, formatPrice, formatTime, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  Fact,
  Facts,
  Money,
  MoneyFact,
  Notice,
  Section,
  Term,
  Time,
} from '../../../ui/index.ts'
import { PaperLink } from './papers.tsx'
import { useUnits } from './parts.tsx'

interface BooksProps {
  product: FundProductDetail
}

/**
 * The public books of a product: the assets behind a unit, the deductions, and the valuations so far. Rules,
 * section 8.
 */
export function Books({ product, children }: BooksProps & { children?: ReactNode }) {
  const { t } = useTranslation()
  const { books } = product
  return (
    <>
      <Section title={t('fund.books.title')}>
        <Card className="flex flex-col gap-4">
          <Shares books={books} />
          <Placements product={product} />
          <Sum product={product} />
          <p className="text-12 text-muted">{t('fund.books.note')}</p>
        </Card>
      </Section>
      {children}
      <Valuations product={product} />
    </>
  )
}

const COLOURS = ['bg-place-fund', 'bg-place-platform', 'bg-place-wallet'] as const
const CASH_COLOUR = 'bg-place-savings'

const placedIn = (books: FundBooks) => books.investments.filter(({ state }) => state === 'invested')
const colourOf = (index: number) => COLOURS[index % COLOURS.length]!

/** The parts of the net assets as one bar; the list below says the same in words. */
function Shares({ books }: { books: FundBooks }) {
  const parts = [
    ...placedIn(books).map(({ investment_id, value }, index) => ({
      key: investment_id,
      micros: parseMicros(value),
      colour: colourOf(index),
    })),
    { key: 'cash', micros: parseMicros(books.cash), colour: CASH_COLOUR },
  ].filter(({ micros }) => micros > 0n)
  if (parts.length === 0) return null
  return (
    <div aria-hidden="true" className="flex h-2.5 gap-[3px] overflow-hidden rounded-full">
      {parts.map(({ key, micros, colour }) => (
        // Only the width of a part: money itself is never converted to a number.
        <span key={key} className={colour} style={{ flexGrow: Number(micros) }} />
      ))}
    </div>
  )
}

function Placements({ product }: BooksProps) {
  const { t } = useTranslation()
  const { books } = product
  return (
    <ul className="flex flex-col gap-4 text-14">
      {placedIn(books).map((investment, index) => (
        <Placement key={investment.investment_id} colour={colourOf(index)} {...{ investment, product }} />
      ))}
      <li className="flex gap-3">
        <Dot colour={CASH_COLOUR} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap justify-between gap-x-3">
            <span className="font-medium">{t('fund.books.cash')}</span>
            <Money amount={books.cash} unit="USDT" />
          </div>
          {/[1-9]/.test(books.announced) && (
            <p className="text-12 text-muted">
              {t('fund.books.announced', { amount: formatAmount(books.announced) })}
            </p>
          )}
        </div>
      </li>
      {books.investments.some(({ state }) => state === 'ended') && (
        <li className="text-12 text-muted">
          {t('fund.books.ended', {
            count: books.investments.filter(({ state }) => state === 'ended').length,
          })}
        </li>
      )}
    </ul>
  )
}

interface PlacementProps extends BooksProps {
  investment: FundInvestment
  colour: string
}

/** A placement of the product's money: where it is, its cost and value, how old the value is, and the document. */
function Placement({ investment, colour, product }: PlacementProps) {
  const { t } = useTranslation()
  const valued = product.books.valued_at ?? investment.invested_at
  return (
    <li className="flex gap-3">
      <Dot colour={colour} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex flex-wrap justify-between gap-x-3">
          <span className="min-w-0 font-medium">
            <Place destination={investment.destination} />
          </span>
          <Money amount={investment.value} unit="USDT" />
        </div>
        <p className="text-12 text-muted">
          {t('fund.books.cost', { cost: formatAmount(investment.cost) })}
          {valued !== null && <> · {t('fund.books.valued', { time: formatTime(valued) ?? '' })}</>}
        </p>
        {investment.evidence !== null && <PaperLink product={product} evidence={investment.evidence} />}
      </div>
    </li>
  )
}

function Place({ destination }: { destination: string }) {
  return destination.startsWith('0x') ? <Address value={destination} /> : destination
}

function Dot({ colour }: { colour: string }) {
  return <span aria-hidden="true" className={cx('mt-1.5 size-2.5 shrink-0 rounded-[3px]', colour)} />
}

/** Net assets, divided by the units. */
function Sum({ product }: BooksProps) {
  const { t } = useTranslation()
  const units = useUnits()
  const { books, nav } = product
  return (
    <div className="border-t border-line pt-4">
      <Facts>
        <MoneyFact label={t('fund.books.netAssets')} amount={books.net_assets} unit="USDT" />
        <Fact sum label={t('fund.books.perUnit', { units: units(books.units) })}>
          <Money price amount={nav} unit="USDT" />
        </Fact>
      </Facts>
    </div>
  )
}

const SHOWN = 5

/** The valuations so far, newest first. */
function Valuations({ product }: BooksProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { valuations } = product.books
  if (valuations.length === 0) return null
  return (
    <Section title={<Term name="valuation">{t('fund.books.valuations')}</Term>}>
      <Card>
        <ul className="flex flex-col divide-y divide-line text-14">
          {valuations.slice(0, isOpen ? undefined : SHOWN).map((valuation) => (
            <Valuation key={valuation.valuation_id} {...{ valuation, product }} />
          ))}
        </ul>
        {valuations.length > SHOWN && !isOpen && (
          <Button block variant="quiet" onClick={() => setOpen(true)}>
            {t('fund.books.allValuations', { count: valuations.length })}
          </Button>
        )}
      </Card>
    </Section>
  )
}

function Valuation({ valuation, product }: BooksProps & { valuation: FundValuation }) {
  const { t } = useTranslation()
  const { kind, value, amount, held_at, nav, decided_at, evidence } = valuation
  return (
    <li className="flex flex-col gap-0.5 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">
          <Time value={decided_at} />
        </span>
        <span>{t('fund.books.ledTo', { nav: formatPrice(nav) })}</span>
      </div>
      <p className="text-12 text-muted">
        {kind === 'divestment' && amount !== null
          ? t('fund.books.divested', { amount: formatAmount(amount), left: formatAmount(value) })
          : t('fund.books.worth', { value: formatAmount(value) })}
        <span className="block break-words">{held_at}</span>
      </p>
      {evidence !== null && <PaperLink product={product} evidence={evidence} />}
    </li>
  )
}

/**
 * The approved redemptions that are waiting, and whether the cash suffices for them by the current estimate.
 */
export function Queue({ books }: { books: FundBooks }) {
  const { t } = useTranslation()
  const units = useUnits()
  const { queue } = books
  const free = parseMicros(books.cash) - parseMicros(books.announced)
  const isCovered = free >= parseMicros(queue.value)
  return (
    <Section title={<Term name="redemption">{t('fund.books.queue')}</Term>}>
      <Card className="flex flex-col gap-3">
        <Facts>
          <Fact label={t('fund.product.queue')}>{formatCount(queue.length)}</Fact>
          {queue.length > 0 && (
            <>
              <Fact label={t('fund.books.queueUnits')}>{units(queue.units)}</Fact>
              <MoneyFact label={t('fund.books.queueValue')} amount={queue.value} unit="USDT" />
              {queue.next_due_at !== null && (
                <Fact label={t('fund.books.nextPayment')}>
                  <Time value={queue.next_due_at} />
                </Fact>
              )}
            </>
          )}
        </Facts>
        <Places queue={queue} />
        {queue.length > 0 && (
          <Notice tone={isCovered ? 'info' : 'warn'}>
            {t(isCovered ? 'fund.books.covered' : 'fund.books.uncovered')}
          </Notice>
        )}
      </Card>
    </Section>
  )
}

/** The first redemptions of the queue by position, with estimates at the current NAV. */
function Places({ queue }: Pick<FundBooks, 'queue'>) {
  const { t } = useTranslation()
  if (queue.items.length === 0) return null
  return (
    <table className="w-full text-14">
      <thead>
        <tr className="text-12 text-muted">
          <th className="py-2 text-left font-medium">{t('fund.books.place')}</th>
          <th className="py-2 text-right font-medium">{t('fund.books.queueUnits')}</th>
          <th className="py-2 text-right font-medium">{t('fund.books.estimate')}</th>
          <th className="py-2 text-right font-medium">{t('fund.books.earliest')}</th>
        </tr>
      </thead>
      <tbody>
        {queue.items.map(({ place, units, value, due_at }) => (
          <tr key={place} className="border-t border-line">
            <td className="py-2">{place}</td>
            <td className="py-2 text-right">{units}</td>
            <td className="py-2 text-right">{formatAmount(value)}</td>
            <td className="py-2 text-right text-12">
              <Time value={due_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
