import type { FundProduct, FundProductDetail } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  call,
  fileOf,
  formatCount,
  formatPpm,
  PageLink,
  saveFile,
  showToast,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Button,
  buttonClass,
  Card,
  CardSection,
  ErrorState,
  Fact,
  Facts,
  LinkRow,
  ListSkeleton,
  Money,
  Notice,
  Page,
  Section,
  Time,
} from '../../../ui/index.ts'
import { NavChart } from '../components/nav-chart.tsx'
import { ProductState, Returns, RiskPill, StaleNotice, useProduct, useUnits } from '../components/parts.tsx'

/** A product: its introduction, performance, terms and backing. */
export default function ProductDetailPage() {
  const { t } = useTranslation()
  const { product_id } = useSearch({ from: '/pages/found/productDetail' })
  const query = useProduct(product_id)
  const product = query.data
  const canBuy = product !== undefined && product.state === 'open' && !product.nav_stale
  return (
    <Page
      title={product?.name ?? t('fund.product.title')}
      footer={
        canBuy ? (
          <PageLink to="/pages/found/buy" search={{ product_id }} className={buttonClass('primary', true)}>
            {t('fund.buy.button')}
          </PageLink>
        ) : undefined
      }
    >
      {query.isPending ? (
        <ListSkeleton />
      ) : product === undefined ? (
        <ErrorState onRetry={() => void query.refetch()} />
      ) : (
        <Detail product={product} />
      )}
    </Page>
  )
}

function Detail({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  const { product_id } = product
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <RiskPill level={product.risk_level} />
        <ProductState product={product} />
      </div>
      <StaleNotice product={product} />
      <Card className="flex flex-col gap-4">
        <Returns product={product} />
        <p className="text-12 text-muted">{t('fund.product.estimateNote')}</p>
        <NavChart productId={product_id} />
      </Card>
      <CardSection title={t('fund.product.introduction')}>
        <p className="whitespace-pre-line text-14">{product.introduction}</p>
      </CardSection>
      <CardSection title={t('fund.product.termsTitle')}>
        <TermFacts product={product} />
      </CardSection>
      <CardSection title={t('fund.product.backing')}>
        <BackingFacts product={product} />
      </CardSection>
      {product.documents.length > 0 && (
        <Section title={t('fund.document.title')}>
          <Documents product={product} />
        </Section>
      )}
      <Card className="divide-y divide-line py-1">
        <LinkRow
          to="/pages/found/redemption"
          search={{ product_id }}
          icon="withdraw"
          title={t('fund.redeem.title')}
        />
        <LinkRow
          to="/pages/found/recordList"
          search={{ product_id }}
          icon="list"
          title={t('fund.records.ofProduct')}
        />
      </Card>
      <Notice tone="warn" title={t('fund.risk.title')}>
        {t('fund.risk.text')}
      </Notice>
    </>
  )
}

const KILO = 1024

/** The papers of a product, each with its hash: a file whose bytes differ from it is not saved. */
function Documents({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  return (
    <Card>
      <ul className="flex flex-col divide-y divide-line">
        {product.documents.map((paper) => (
          <li key={paper.document_id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <div className="flex items-center justify-between gap-3">
              <span className="min-w-0 break-words text-16">{paper.title}</span>
              <SavePaper productId={product.product_id} paper={paper} />
            </div>
            <span className="text-12 text-muted">
              {t('fund.document.size', { size: formatCount(Math.ceil(paper.bytes / KILO)) })}
            </span>
            <span className="flex items-center gap-2 text-12 text-muted">
              SHA-256 <Address value={paper.hash} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface SavePaperProps {
  productId: string
  paper: FundProductDetail['documents'][number]
}

function SavePaper({ productId, paper }: SavePaperProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const params = { product_id: productId, document_id: paper.document_id }
      const file = await call('fundDocument', { params })
      const content = await fileOf({ ...file, hash: paper.hash })
      if (content === null) return showToast(t('fund.document.differs'), { tone: 'bad' })
      saveFile(content, file.filename)
    } catch {
      // The API client has shown it.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="secondary"
      busy={busy}
      aria-label={t('fund.document.saveNamed', { title: paper.title })}
      onClick={() => void save()}
    >
      {t('fund.document.save')}
    </Button>
  )
}

/** A product's terms: minimum, increments, lock-up, redeemable days, fees. */
function TermFacts({ product }: { product: FundProduct }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <Facts>
      <Fact label={t('fund.product.minimum')}>
        <Money amount={product.minimum_usd} unit="USD" />
        {product.minimum_units !== null && (
          <span className="block text-12 text-muted">
            {t('fund.product.minimumUnits', { units: units(product.minimum_units) })}
          </span>
        )}
      </Fact>
      <Fact label={t('fund.product.increment')}>{t('fund.product.wholeUnits')}</Fact>
      <Fact label={t('fund.product.lock')}>{t('fund.days', { days: product.lock_days })}</Fact>
      <Fact label={t('fund.product.redeemableDays')}>
        <Weekdays days={product.redeemable_weekdays} />
      </Fact>
      <Fact label={t('fund.product.nextRedeemable')}>{product.next_redeemable_day}</Fact>
      <Fact label={t('fund.product.subscriptionFee')}>{formatPpm(product.subscription_fee_ppm)}</Fact>
      <Fact label={t('fund.product.redemptionFee')}>{formatPpm(product.redemption_fee_ppm)}</Fact>
      <Fact label={t('fund.product.managementFee')}>
        {t('fund.product.ofProfit', { rate: formatPpm(product.management_fee_ppm) })}
      </Fact>
    </Facts>
  )
}

const ALL_DAYS = 7

function Weekdays({ days }: { days: readonly number[] }) {
  const { t } = useTranslation()
  if (days.length === ALL_DAYS) return t('fund.product.everyDay')
  return days.map((day) => t(`fund.weekday.${day as 1 | 2 | 3 | 4 | 5 | 6 | 7}`)).join(', ')
}

/** What stands behind the units: the NAV, cash and investments, and the liabilities. */
function BackingFacts({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  const { nav, nav_published_at, books, outstanding_value } = product
  return (
    <Facts>
      <Fact label={t('fund.product.nav')}>
        <Money amount={nav} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.product.published')}>
        <Time value={nav_published_at} />
      </Fact>
      <Fact label={t('fund.product.cash')}>
        <Money amount={books.cash} unit="USDT" />
      </Fact>
      <Fact label={t('fund.product.invested')}>
        <Money amount={books.invested} unit="USDT" />
      </Fact>
      <Fact label={t('fund.product.outstanding')}>
        <Money amount={outstanding_value} unit="USDT" />
      </Fact>
      <Fact label={t('fund.product.queue')}>{formatCount(product.queue_length)}</Fact>
    </Facts>
  )
}
