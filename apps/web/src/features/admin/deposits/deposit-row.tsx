import type { RevenueDeposit } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Fact, Facts, Money, Pill, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'

export interface DepositRowProps {
  deposit: RevenueDeposit
  mayAttest: boolean
  onAttest: () => void
  onProposal: (proposalId: string) => void
}

/** Revenue as it came in on chain: how much of what, from whom, and which pool it entered or what is next. */
export function DepositRow({ deposit, mayAttest, onAttest, onProposal }: DepositRowProps) {
  const { t } = useTranslation()
  const { attested, proposal_id: proposalId } = deposit
  return (
    <Card className="flex flex-col gap-3 lg:flex-row lg:items-start lg:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Money amount={deposit.amount} unit={deposit.asset} className="text-16 font-semibold" />
          <Pill tone={attested === null ? 'warn' : 'good'}>
            {t(attested === null ? 'admin.deposits.waits' : 'admin.deposits.attested')}
          </Pill>
          <span className="ml-auto text-12 text-muted">
            <Time value={deposit.deposited_at} />
          </span>
        </p>
        <Facts>
          {attested !== null && (
            <>
              <Fact label={t('admin.deposits.into')}>
                {attested.product_name === null
                  ? t(`admin.deposits.pool.${attested.pool}`)
                  : `${t('admin.deposits.pool.fund_proceeds')} · ${attested.product_name}`}
              </Fact>
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
          <Fact label={t('admin.deposits.from')}>
            <Address value={deposit.from} />
          </Fact>
          <Fact label={t('admin.deposits.paper')}>
            <Address value={deposit.document_hash} />
          </Fact>
          <Fact label={t('adminSearch.order.hash')}>
            <TxHash value={deposit.tx_hash} />
          </Fact>
        </Facts>
      </div>
      {attested === null && (proposalId !== null || mayAttest) && (
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
