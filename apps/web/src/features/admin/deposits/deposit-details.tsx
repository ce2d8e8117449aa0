import type { DepositorFacts, RevenueDeposit } from '@rif/api-schema'
import { shortAddress, useTranslation } from '../../../lib/index.ts'
import { Address, AddressFact, Button, Fact, Facts, Money, Pill } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { UtcTimeFact, utcText } from '../components/utc-time.tsx'

/** Shows the known facts about a depositor: whether the money may have come from the bank itself. */
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
          from: looked_at.from_block,
          to: looked_at.to_block,
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

interface DepositDetailsProps {
  deposit: RevenueDeposit
  mayAttest: boolean
  onAttest: () => void
  onProposal: (proposalId: string) => void
}

/** Reports whether a deposit is still unused. */
export const isDepositWaiting = ({ attested, divested }: RevenueDeposit) => attested === null && !divested

/** Shows the progress of a deposit. */
export function DepositState({ deposit }: { deposit: RevenueDeposit }) {
  const { t } = useTranslation()
  const name = isDepositWaiting(deposit) ? 'waits' : deposit.divested ? 'divested' : 'attested'
  return <Pill tone={name === 'waits' ? 'warn' : 'good'}>{t(`admin.deposits.${name}`)}</Pill>
}

/** Revenue that arrived on chain: the amount, the sender, and its pool or next step. */
export function DepositDetails({ deposit, mayAttest, onAttest, onProposal }: DepositDetailsProps) {
  const { t } = useTranslation()
  const { attested, proposal_id: proposalId } = deposit
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Money amount={deposit.amount} unit={deposit.asset} className="text-20 font-semibold" />
        <DepositState deposit={deposit} />
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
            {deposit.label.startsWith('0x') ? <Address value={deposit.label} copy={false} /> : deposit.label}
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
        <UtcTimeFact label={t('desk.orders.paid')} value={deposit.deposited_at} />
      </Facts>
      {isDepositWaiting(deposit) &&
        (proposalId !== null ? (
          <Button variant="secondary" onClick={() => onProposal(proposalId)}>
            {t('admin.audit.proposed')}
          </Button>
        ) : (
          mayAttest && (
            <Button variant="secondary" onClick={onAttest}>
              {t('admin.deposits.attest')}
            </Button>
          )
        ))}
    </div>
  )
}
