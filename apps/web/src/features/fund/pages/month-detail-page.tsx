import type { FundBill, FundBillLine } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  apiQuery,
  call,
  fileOf,
  formatMonth,
  saveFile,
  showToast,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AddressFact,
  Button,
  Card,
  CardSection,
  Fact,
  Facts,
  Loaded,
  Money,
  MoneyFact,
  Page,
  TimeFact,
} from '../../../ui/index.ts'
import { Gain, useUnits } from '../components/parts.tsx'

/** A month's bill: its sums, each product, and the same as a file. */
export default function MonthDetailPage() {
  const { t } = useTranslation()
  const { month } = useSearch({ from: '/pages/found/month_detail' })
  const query = useQuery(apiQuery('fundBill', { params: { month } }))
  return (
    <Page title={t('fund.bills.of', { month: formatMonth(month) })}>
      <Loaded query={query}>{(data) => <Bill bill={data} />}</Loaded>
    </Page>
  )
}

function Bill({ bill }: { bill: FundBill }) {
  const { t } = useTranslation()
  return (
    <>
      <Card className="flex flex-col gap-4">
        <div>
          <p className="text-14 text-muted">{t('fund.bills.profit')}</p>
          <Gain amount={bill.profit} className="text-28 font-semibold" />
          <p className="text-12 text-muted">{t('fund.bills.afterFees')}</p>
        </div>
        <Figures figures={bill} />
        <BillFiles month={bill.month} />
      </Card>
      {bill.lines.map((line) => (
        <Line key={line.product_id} line={line} />
      ))}
      <CardSection title={t('fund.bills.income')}>
        <Facts>
          <MoneyFact label={t('fund.bills.incomeReceived')} amount={bill.income} unit="USDT" exact />
          <MoneyFact label={t('fund.bills.incomeMoved')} amount={bill.income_moved} unit="USDT" exact />
        </Facts>
      </CardSection>
      <Card>
        <Facts>
          <TimeFact label={t('fund.bills.made')} value={bill.made_at} />
          <AddressFact label={t('fund.bills.hash')} value={bill.hash} />
        </Facts>
      </Card>
    </>
  )
}

const FIGURES = [
  'opening_value',
  'purchased_value',
  'subscription_fees',
  'redeemed_value',
  'redemption_fees',
  'management_fees',
  'closing_value',
] as const

function Figures({ figures }: { figures: Pick<FundBill, (typeof FIGURES)[number]> }) {
  const { t } = useTranslation()
  return (
    <Facts>
      {FIGURES.map((name) => (
        <Fact key={name} label={t(`fund.bills.figure.${name}`)}>
          <Money amount={figures[name]} unit="USDT" exact />
        </Fact>
      ))}
    </Facts>
  )
}

function Line({ line }: { line: FundBillLine }) {
  const { t } = useTranslation()
  const units = useUnits()
  const nav = (amount: string | null) => (amount === null ? '–' : <Money amount={amount} unit="USDT" exact />)
  return (
    <CardSection title={line.product_name}>
      <Facts>
        <Fact label={t('fund.bills.openingUnits')}>{units(line.opening_units)}</Fact>
        <Fact label={t('fund.bills.purchasedUnits')}>{units(line.purchased_units)}</Fact>
        <Fact label={t('fund.bills.redeemedUnits')}>{units(line.redeemed_units)}</Fact>
        <Fact label={t('fund.bills.closingUnits')}>{units(line.closing_units)}</Fact>
        <Fact label={t('fund.bills.openingNav')}>{nav(line.opening_nav)}</Fact>
        <Fact label={t('fund.bills.closingNav')}>{nav(line.closing_nav)}</Fact>
      </Facts>
      <div className="mt-3 border-t border-line pt-3">
        <Figures figures={line} />
      </div>
      <div className="mt-3 border-t border-line pt-3">
        <Facts>
          <Fact label={t('fund.bills.profit')}>
            <Gain amount={line.profit} exact />
          </Fact>
        </Facts>
      </div>
    </CardSection>
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
      // The API client has shown it.
    } finally {
      setBusy(null)
    }
  }
  return (
    <div className="grid grid-cols-2 gap-3">
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
