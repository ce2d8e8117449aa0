import type { ExitDestination, FundDesk } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { apiQuery, formatAmount, PageLink, redirectTo, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import {
  Button,
  buttonClass,
  Card,
  EmptyState,
  ListSkeleton,
  Loaded,
  Notice,
  Segmented,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { CashNeeded } from '../fund/cash-chart.tsx'
import { DeskAssets } from '../fund/desk-assets.tsx'
import { DeskFigures } from '../fund/desk-figures.tsx'
import { DeskHistory } from '../fund/desk-history.tsx'
import { DeskQueue } from '../fund/desk-queue.tsx'
import { DivestSheet } from '../fund/divest-sheet.tsx'
import { investmentNames } from '../fund/fund-drafts.ts'
import { InvestSheet } from '../fund/invest-sheet.tsx'
import { Valuation } from '../fund/valuation-form.tsx'
import { useProposals, type Wanted } from '../proposals/use-proposals.tsx'

const PATH = '/pages/admin/fundDesk'

/** The fund desk: a product's cash, investments and queue, and the proposals that change them; two people decide each. */
export default function FundDeskPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const products = useQuery(apiQuery('adminFundProducts'))
  const items = products.data?.items ?? []
  const productId = search.product_id ?? items[0]?.product_id
  return (
    <AdminPage
      title={t('admin.desk.title')}
      about={t('admin.about.fundDesk')}
      actions={
        <PageLink to="/pages/admin/updateFound" className={buttonClass('secondary')}>
          {t('admin.desk.products')}
        </PageLink>
      }
    >
      <Loaded query={products} skeleton={<ListSkeleton rows={1} />}>
        {() =>
          productId === undefined ? (
            <EmptyState icon="fund" title={t('admin.fund.none')} hint={t('admin.fund.noneHint')} />
          ) : (
            items.length > 1 && (
              <Segmented
                label={t('admin.desk.product')}
                options={items.map(({ product_id, name }) => ({ value: product_id, label: name }))}
                value={productId}
                onChange={(product_id) => redirectTo(PATH, { product_id })}
              />
            )
          )
        }
      </Loaded>
      {productId !== undefined && <ProductDesk key={productId} productId={productId} />}
    </AdminPage>
  )
}

/** The desk of one product. */
function ProductDesk({ productId }: { productId: string }) {
  const params = { product_id: productId }
  const query = useQuery({ ...apiQuery('adminFundDesk', { params }), refetchInterval: WATCH_MS })
  const places = useQuery(apiQuery('exitDestinations'))
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={6} />}>
      {(desk) => <Desk desk={desk} destinations={places.data?.items ?? []} />}
    </Loaded>
  )
}

interface DeskProps {
  desk: FundDesk
  destinations: readonly ExitDestination[]
}

function Desk({ desk, destinations }: DeskProps) {
  const { t } = useTranslation()
  const [openSheet, setOpenSheet] = useState<'invest' | 'divest' | null>(null)
  const { want, show, sheets } = useProposals()
  const names = investmentNames(desk, destinations)
  const close = () => setOpenSheet(null)
  const propose = (wanted: Wanted, onDone?: () => void) => {
    close()
    want(wanted, onDone)
  }
  return (
    <>
      {desk.closed_reason !== null && (
        <Notice tone={desk.closed_reason === 'operator' ? 'info' : 'warn'}>
          {t(`admin.desk.closed.${desk.closed_reason}`)}
        </Notice>
      )}
      <DeskFigures desk={desk} />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <DeskAssets desk={desk} names={names} />
          <DeskQueue desk={desk} onWant={want} onProposal={show} />
          <CashNeeded desk={desk} />
          <BringBack desk={desk} onAsk={() => setOpenSheet('divest')} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Valuation desk={desk} names={names} onWant={want} onProposal={show} />
          <Invest desk={desk} names={names} onAsk={() => setOpenSheet('invest')} onProposal={show} />
        </div>
      </div>
      <DeskHistory desk={desk} names={names} />
      {openSheet === 'invest' && (
        <InvestSheet desk={desk} destinations={destinations} onSubmit={propose} onClose={close} />
      )}
      {openSheet === 'divest' && <DivestSheet desk={desk} names={names} onSubmit={propose} onClose={close} />}
      {sheets}
    </>
  )
}

interface AskProps {
  desk: FundDesk
  onAsk: () => void
}

/** Investing: announced investments, the open proposal, and the button to prepare one. */
function Invest({
  desk,
  names,
  onAsk,
  onProposal,
}: AskProps & { names: ReadonlyMap<string, string>; onProposal: (proposalId: string) => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const announced = desk.investments.filter(({ state }) => state === 'announced')
  const isClosed = desk.closed_reason === 'loss' || desk.closed_reason === 'empty'
  const { invest } = desk.proposals
  return (
    <section aria-label={t('admin.desk.invest.title')}>
      <Card className="flex flex-col gap-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-16 font-semibold">{t('admin.desk.invest.title')}</span>
          <span className="text-12 text-muted">
            {t('admin.desk.invest.most', { amount: formatAmount(desk.investable) })}
          </span>
        </p>
        {announced.map(({ investment_id, cost }) => (
          <p key={investment_id} className="text-14">
            <span className="block font-medium">
              {t('admin.desk.invest.into', { amount: formatAmount(cost), name: names.get(investment_id)! })}
            </span>
            <span className="block text-12 text-muted">{t('admin.desk.invest.announced')}</span>
          </p>
        ))}
        {announced.length > 0 && (
          <PageLink
            to="/pages/admin/treasury"
            className="-my-3 inline-flex min-h-11 items-center text-14 font-medium text-accent"
          >
            {t('admin.desk.invest.toTreasury')}
          </PageLink>
        )}
        {isClosed ? (
          <p className="text-14 text-muted">{t('admin.desk.invest.closed')}</p>
        ) : invest !== null ? (
          <Button variant="secondary" onClick={() => onProposal(invest)}>
            {t('admin.desk.invest.seeProposal')}
          </Button>
        ) : may('operator') ? (
          <Button variant="secondary" onClick={onAsk}>
            {t('admin.desk.invest.prepare')}
          </Button>
        ) : (
          <p className="text-14 text-muted">{t('admin.desk.operatorsOnly')}</p>
        )}
      </Card>
    </section>
  )
}

/** Returning money; only for a product that has ever invested. One valuation can be pending at a time. */
function BringBack({ desk, onAsk }: AskProps) {
  const { t } = useTranslation()
  const may = useMay()
  if (desk.began_nav === null) return null
  const waits = desk.proposed !== null || desk.proposals.valuation !== null
  return (
    <section aria-label={t('admin.desk.divest.title')}>
      <Card className="flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-60 flex-1 flex-col gap-1">
          <h2 className="text-16 font-semibold">{t('admin.desk.divest.title')}</h2>
          <p className="text-14 text-muted">
            {t(waits ? 'admin.desk.divest.waits' : 'admin.desk.divest.about')}
          </p>
        </div>
        {may('operator') && !waits && (
          <Button variant="secondary" onClick={onAsk}>
            {t('admin.desk.divest.prepare')}
          </Button>
        )}
      </Card>
    </section>
  )
}
