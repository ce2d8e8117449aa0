import type { DepositorFacts, RevenueDeposit } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiWatchedList, formatCount, shortAddress, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AddressFact,
  Button,
  Card,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  ListSkeleton,
  Money,
  Pill,
  Section,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { ShowMore, useMay } from '../components/admin-page.tsx'
import { UtcTime, utcText } from '../components/utc-time.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { AttestSheet } from './attest-sheet.tsx'

const SHOWN = 5

/** Revenue that came in on chain, and its way into the pools that pay: two people attest each deposit. */
export function RevenueSection() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useInfiniteQuery(apiWatchedList('revenueDeposits', { query: { limit: SHOWN } }))
  const [attesting, setAttesting] = useState<RevenueDeposit | null>(null)
  const { want, show, sheets } = useProposals()
  const pages = query.data?.pages
  const items = pages?.flatMap((page) => page.items)
  return (
    <Section
      title={t('admin.deposits.title')}
      {...(pages && {
        aside: <span>{t('admin.deposits.waiting', { count: formatCount(pages[0]!.waiting) })}</span>,
      })}
    >
      <p className="px-1 text-14 text-muted">{t('admin.deposits.lead')}</p>
      {items === undefined ? (
        query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={2} />
        )
      ) : items.length === 0 ? (
        <Card>
          <EmptyState icon="orders" title={t('admin.deposits.none')} hint={t('admin.deposits.noneHint')} />
        </Card>
      ) : (
        <ul aria-label={t('admin.deposits.title')} className="flex flex-col gap-3">
          {items.map((deposit) => (
            <li key={deposit.deposit_id}>
              <DepositRow
                deposit={deposit}
                mayAttest={may('operator')}
                onAttest={() => setAttesting(deposit)}
                onProposal={show}
              />
            </li>
          ))}
        </ul>
      )}
      <ShowMore query={query} />
      {attesting !== null && (
        <AttestSheet
          deposit={attesting}
          onSubmit={(wanted, onDone) => {
            setAttesting(null)
            want(wanted, onDone)
          }}
          onClose={() => setAttesting(null)}
        />
      )}
      {sheets}
    </Section>
  )
}

/** Shows what is known of a depositor: whether the money may have come from the bank itself. */
function DepositorView({ facts }: { facts: DepositorFacts }) {
  const { t } = useTranslation()
  const { member_id, admin, paid_by_bank, funded_by, looked_at } = facts
  const links = [
    ...(member_id === null ? [] : [t('admin.deposits.ofMember', { id: member_id })]),
    ...(admin === null ? [] : [t('admin.deposits.ofAdmin', { name: admin })]),
    ...(paid_by_bank === 0 ? [] : [t('admin.deposits.paidByBank', { count: paid_by_bank })]),
    ...funded_by.map(({ is, name, address, transfers }) =>
      t(`admin.deposits.fundedBy.${is}`, { name, address: shortAddress(address), count: transfers }),
    ),
  ]
  const looked =
    looked_at === null
      ? t('admin.deposits.notLookedAt')
      : t('admin.deposits.lookedAt', {
          ...{ from: looked_at.from_block, to: looked_at.to_block },
          at: utcText(looked_at.from_at) ?? '',
        })
  return (
    <span className="flex flex-col gap-1">
      {links.length === 0 && <span>{t('admin.deposits.noLink')}</span>}
      {links.map((link) => (
        <span key={link} className="font-medium text-warn">
          {link}
        </span>
      ))}
      <span className="text-12 text-muted">{looked}</span>
    </span>
  )
}

interface DepositRowProps {
  deposit: RevenueDeposit
  mayAttest: boolean
  onAttest: () => void
  onProposal: (proposalId: string) => void
}

/** Revenue as it came in on chain: how much of what, from whom, and which pool it entered or what is next. */
function DepositRow({ deposit, mayAttest, onAttest, onProposal }: DepositRowProps) {
  const { t } = useTranslation()
  const { attested, divested, proposal_id: proposalId } = deposit
  const waits = attested === null && !divested
  return (
    <Card className="flex flex-col gap-3 lg:flex-row lg:items-start lg:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Money amount={deposit.amount} unit={deposit.asset} className="text-16 font-semibold" />
          <Pill tone={waits ? 'warn' : 'good'}>
            {t(
              waits
                ? 'admin.deposits.waits'
                : divested
                  ? 'admin.deposits.divested'
                  : 'admin.deposits.attested',
            )}
          </Pill>
          <span className="ml-auto text-12 text-muted">
            <UtcTime value={deposit.deposited_at} />
          </span>
        </p>
        <Facts>
          {attested !== null && (
            <>
              <Fact label={t('admin.deposits.into')}>{t(`admin.deposits.pool.${attested.pool}`)}</Fact>
              <Fact label={t('admin.deposits.source')}>
                <span className="wrap-anywhere">{attested.source}</span>
              </Fact>
            </>
          )}
          {deposit.label !== '' && (
            <Fact label={t('admin.deposits.label')}>
              {deposit.label.startsWith('0x') ? (
                <Address value={deposit.label} copy={false} />
              ) : (
                deposit.label
              )}
            </Fact>
          )}
          <AddressFact label={t('admin.deposits.from')} value={deposit.from} />
          <Fact label={t('admin.deposits.known')}>
            <DepositorView facts={deposit.depositor} />
          </Fact>
          <AddressFact label={t('admin.deposits.paper')} value={deposit.document_hash} />
          <Fact label={t('adminSearch.order.hash')}>
            <TxHash value={deposit.tx_hash} />
          </Fact>
        </Facts>
      </div>
      {waits && (proposalId !== null || mayAttest) && (
        <div className="flex lg:w-56 lg:flex-col">
          {proposalId !== null ? (
            <Button variant="secondary" onClick={() => onProposal(proposalId)}>
              {t('admin.audit.proposed')}
            </Button>
          ) : (
            <Button variant="secondary" onClick={onAttest}>
              {t('admin.deposits.attest')}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
