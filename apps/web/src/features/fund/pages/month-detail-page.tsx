import type { FundBill, FundBillLine } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  apiQuery,
  call,
  fileOf,
  formatMonth,
  MINUS,
  saveFile,
  showToast,
  sumAmounts,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AddressFact,
  Button,
  Card,
  CardSection,
  Columns,
  Fact,
  Facts,
  Loaded,
  Money,
  MoneyFact,
  Page,
  Section,
  Skeleton,
  TimeFact,
} from '../../../ui/index.ts'
import { Gain, useUnits } from '../components/parts.tsx'

/** A monthly bill: its sums, each product, and the same data as a file. */
export default function MonthDetailPage() {
  const { t } = useTranslation()
  const { month } = useSearch({ from: '/pages/found/month_detail' })
  const query = useQuery(apiQuery('fundBill', { params: { month } }))
  return (
    <Page wide title={t('fund.bills.of', { month: formatMonth(month) })}>
      <Loaded query={query} skeleton={<BillSkeleton />}>
        {(data) => <Bill bill={data} />}
      </Loaded>
    </Page>
  )
}

function BillSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')}>
      <Columns side={<Skeleton className="h-48 rounded-16" />}>
        <Skeleton className="h-96 rounded-16" />
        <Skeleton className="h-96 rounded-16" />
      </Columns>
    </div>
  )
}

function Bill({ bill }: { bill: FundBill }) {
  const { t } = useTranslation()
  return (
    <Columns
      side={
        <>
          <BillFiles month={bill.month} />
          <CardSection title={t('fund.bills.income')}>
            <Facts>
              <MoneyFact label={t('fund.bills.incomeReceived')} amount={bill.income} unit="USDT" />
              <MoneyFact label={t('fund.bills.incomeMoved')} amount={bill.income_moved} unit="USDT" />
            </Facts>
          </CardSection>
          <Card>
            <Facts>
              <TimeFact label={t('fund.bills.made')} value={bill.made_at} />
              <AddressFact label={t('fund.bills.hash')} value={bill.hash} />
            </Facts>
          </Card>
        </>
      }
    >
      <Card className="flex flex-col gap-6">
        <div>
          <p className="text-14 text-muted">{t('fund.bills.profit')}</p>
          <p className="font-display text-28 font-semibold">
            <Gain amount={bill.profit} />
          </p>
          <p className="text-12 text-muted">{t('fund.bills.afterFees')}</p>
        </div>
        <Figures figures={bill} />
      </Card>
      {bill.lines.map((line) => (
        <Line key={line.product_id} line={line} isOnly={bill.lines.length === 1} />
      ))}
    </Columns>
  )
}

type BillFigures = Pick<
  FundBill,
  | 'opening_value'
  | 'purchased_value'
  | 'redeemed_value'
  | 'closing_value'
  | 'subscription_fees'
  | 'redemption_fees'
  | 'management_fees'
  | 'profit'
>

/** Two sums: how the value at the end results, and the profit after the fees. */
function Figures({ figures }: { figures: BillFigures }) {
  const { t } = useTranslation()
  const { opening_value, purchased_value, redeemed_value, closing_value } = figures
  const { subscription_fees, redemption_fees, management_fees, profit } = figures
  const change = sumAmounts([closing_value, redeemed_value, `-${opening_value}`, `-${purchased_value}`])
  const line = (name: Parameters<typeof t>[0], amount: string) => (
    <Fact label={t(name)}>
      <Money amount={amount} unit="USDT" />
    </Fact>
  )
  const changed = (
    <Fact label={t('fund.bills.change')}>
      <Gain amount={change} />
    </Fact>
  )
  return (
    <>
      <Facts>
        {line('fund.bills.figure.opening_value', opening_value)}
        {line('fund.bills.figure.purchased_value', purchased_value)}
        {line('fund.bills.figure.redeemed_value', `-${redeemed_value}`)}
        {changed}
        <Fact sum label={t('fund.bills.figure.closing_value')}>
          <Money amount={closing_value} unit="USDT" />
        </Fact>
      </Facts>
      <Facts>
        {changed}
        {line('fund.bills.figure.subscription_fees', `-${subscription_fees}`)}
        {line('fund.bills.figure.redemption_fees', `-${redemption_fees}`)}
        {line('fund.bills.figure.management_fees', `-${management_fees}`)}
        <Fact sum label={t('fund.bills.profit')}>
          <Gain amount={profit} />
        </Fact>
      </Facts>
    </>
  )
}

/** A product's part of a bill; for an only product, the sums are those of the whole bill. */
function Line({ line, isOnly }: { line: FundBillLine; isOnly: boolean }) {
  const { t } = useTranslation()
  const units = useUnits()
  const nav = (amount: string | null) => (amount === null ? '–' : <Money price amount={amount} unit="USDT" />)
  return (
    <Section title={line.product_name}>
      <Card className="flex flex-col gap-6">
        <Facts>
          <Fact label={t('fund.bills.openingUnits')}>{units(line.opening_units)}</Fact>
          <Fact label={t('fund.bills.purchasedUnits')}>{units(line.purchased_units)}</Fact>
          <Fact label={t('fund.bills.redeemedUnits')}>
            {line.redeemed_units === '0' ? units('0') : `${MINUS}${units(line.redeemed_units)}`}
          </Fact>
          <Fact sum label={t('fund.bills.closingUnits')}>
            {units(line.closing_units)}
          </Fact>
          <Fact label={t('fund.bills.openingNav')}>{nav(line.opening_nav)}</Fact>
          <Fact label={t('fund.bills.closingNav')}>{nav(line.closing_nav)}</Fact>
        </Facts>
        {!isOnly && <Figures figures={line} />}
      </Card>
    </Section>
  )
}

const FILES = { pdf: 'fundBillPdf', csv: 'fundBillCsv' } as const
type Kind = keyof typeof FILES

/** A bill as a PDF in the member's language, and as CSV. */
function BillFiles({ month }: { month: string }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState<Kind | null>(null)
  const save = async (kind: Kind) => {
    setBusy(kind)
    try {
      const file = await call(FILES[kind], { params: { month } })
      const content = await fileOf(file)
      if (content === null) return showToast(t('fund.document.differs'), { tone: 'bad' })
      saveFile(content, file.filename)
      showToast(t('common.csvSaved'), { tone: 'good' })
    } catch {
      // The API client has already shown the error.
    } finally {
      setBusy(null)
    }
  }
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] gap-3">
      {(Object.keys(FILES) as Kind[]).map((kind) => (
        <Button
          key={kind}
          variant="secondary"
          icon="withdraw"
          busy={busy === kind}
          onClick={() => void save(kind)}
        >
          {t(`fund.bills.${kind}`)}
        </Button>
      ))}
    </div>
  )
}
