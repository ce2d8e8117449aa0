import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readConfig, useSession, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Card,
  Columns,
  EmptyState,
  ErrorState,
  ListSkeleton,
  Money,
  Notice,
  Page,
  Pill,
  Section,
} from '../../../ui/index.ts'
import { activeProvider } from '../../../wallet/connection.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { walletErrorText } from '../../../wallet/provider.ts'
import { TransactionList, useTransactions } from '../../../wallet/transactions.tsx'
import type { Allowance } from '../../../wallet/tx-flow/allowances.ts'
import { useRevoke } from '../../../wallet/use-tx-flow.ts'

/** The allowances of the product's contracts, with a way to revoke them, and the wallet's transactions. */
export default function ApprovalsPage() {
  const { t } = useTranslation()
  const { data, error, isPending, refetch } = useAllowances()
  return (
    <Page wide title={t('approvals.title')}>
      <Columns
        side={
          <>
            <Notice>{t('approvals.about')}</Notice>
            <RecentTransactions />
          </>
        }
      >
        {isPending && <ListSkeleton rows={3} />}
        {error !== null && <ErrorState onRetry={() => void refetch()} text={walletErrorText(error)} />}
        {data !== undefined && <Allowances allowances={data} />}
      </Columns>
    </Page>
  )
}

/** Read from the chain through the member's own wallet. */
function useAllowances() {
  const client = useQueryClient()
  const owner = useSession().tokenAddress
  return useQuery({
    queryKey: ['allowances', owner],
    queryFn: async () => {
      // Not by the shared query, which is cancelled when another part that reads it closes: this one would
      // then stay pending.
      const config = await readConfig(client)
      const provider = await activeProvider(config)
      const { readAllowances } = await import('../../../wallet/tx-flow/allowances.ts')
      return readAllowances(provider, config, owner)
    },
  })
}

const isGiven = ({ sum, isUnlimited }: Allowance) => isUnlimited || /[1-9]/.test(sum.amount)

function Allowances({ allowances }: { allowances: readonly Allowance[] }) {
  const { t } = useTranslation()
  // A row stays after its revocation, so that its steps remain visible.
  const [touched, setTouched] = useState<readonly string[]>([])
  const idOf = ({ token, spenderAddress }: Allowance) => `${token} ${spenderAddress}`
  const shown = allowances.filter((allowance) => isGiven(allowance) || touched.includes(idOf(allowance)))
  if (shown.length === 0) {
    return (
      <Card>
        <EmptyState
          icon="check"
          title={t('approvals.none')}
          hint={t('approvals.noneHint')}
          next={{ to: '/pages/localWallet/index', label: t('localWallet.back') }}
        />
      </Card>
    )
  }
  return (
    <ul aria-label={t('approvals.title')} className="flex flex-col gap-3">
      {shown.map((item) => (
        <li key={idOf(item)}>
          <AllowanceCard allowance={item} onRevoke={() => setTouched([...touched, idOf(item)])} />
        </li>
      ))}
    </ul>
  )
}

function AllowanceCard({ allowance, onRevoke }: { allowance: Allowance; onRevoke: () => void }) {
  const { t } = useTranslation()
  const { sum, spender, spenderAddress, isUnlimited } = allowance
  const flow = useRevoke(allowance)
  const revoke = {
    ...flow,
    start: () => {
      onRevoke()
      flow.start()
    },
  }
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-16 font-semibold">{t(`preview.contract_${spender}`)}</h2>
          <Address value={spenderAddress} className="text-14 text-muted" />
        </div>
        {isGiven(allowance) ? (
          <span className="text-right">
            <span className="block text-12 text-muted">{t('approvals.mayTake')}</span>
            {isUnlimited ? (
              <span className="font-semibold">{t('approvals.unlimited', { asset: sum.unit })}</span>
            ) : (
              <Money amount={sum.amount} unit={sum.unit} exact className="font-semibold" />
            )}
          </span>
        ) : (
          <Pill tone="good">{t('approvals.revoked')}</Pill>
        )}
      </div>
      {spender === 'formerBank' && isGiven(allowance) && (
        <Notice tone="warn">{t('approvals.formerHint')}</Notice>
      )}
      {isUnlimited && <Notice tone="warn">{t('approvals.unlimitedHint')}</Notice>}
      {(isGiven(allowance) || flow.isRunning) && (
        <FlowSteps flow={revoke} startLabel={t('approvals.revoke', { asset: sum.unit })} />
      )}
    </Card>
  )
}

function RecentTransactions() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useTransactions()
  return (
    <Section title={t('transactions.title')}>
      {data === undefined && !isError && <ListSkeleton rows={2} />}
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <Card>
          <EmptyState
            icon="clock"
            title={t('transactions.none')}
            hint={t('transactions.noneHint')}
            next={{ to: '/pages/localWallet/list', label: t('localWallet.history') }}
          />
        </Card>
      )}
      {data !== undefined && data.items.length > 0 && (
        <Card>
          <TransactionList items={data.items} />
        </Card>
      )}
    </Section>
  )
}
