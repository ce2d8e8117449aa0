import { useAppConfig, useTranslation } from '../lib/index.ts'
import { Address, ExplorerLink, Fact, Facts, Icon, Money } from '../ui/index.ts'
import { sameAddress } from './provider.ts'
import { type Preview, type Sum, spendersOf } from './tx-flow/flow-state.ts'

/** A transaction's hash with copy and, where the chain has an explorer, a link to it. */
export function TxHash({ value }: { value: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center">
      <Address value={value} form="head" />
      <ExplorerLink kind="tx" value={value} />
    </span>
  )
}

export interface ContractFactProps {
  name: 'usdt' | 'amc' | 'bank' | 'transfer'
  address: string
}

/** The contract of a signature: the name of a known one, and its address to compare with the wallet's. */
export function ContractFact({ name, address }: ContractFactProps) {
  const { t } = useTranslation()
  return (
    <Fact label={t('preview.contract')}>
      <span className="flex flex-col items-end">
        <span className="inline-flex items-center gap-1 font-medium text-good">
          <Icon name="check" size={16} />
          {t(`preview.contract_${name}`)}
        </span>
        <Address value={address} copy={false} />
      </span>
    </Fact>
  )
}

/** Explains the next signature: sums that leave and arrive, the receiver, and the contract. */
export function SignaturePreview({ preview }: { preview: Preview }) {
  const { t } = useTranslation()
  const { leaves, allows, arrives, buys, contract } = preview
  const isApproval = allows.length > 0
  const config = useAppConfig()
  const knownSpender =
    config && spendersOf(config).find((item) => sameAddress(item.spenderAddress, preview.to))
  const receiver = knownSpender?.spender ?? null
  return (
    <section aria-label={t('preview.title')} className="flex flex-col gap-3 rounded-12 bg-sunken p-4">
      <h3 className="text-14 font-semibold">{t('preview.title')}</h3>
      <Facts>
        <Fact label={t('preview.leaves')}>
          {leaves.length > 0 ? <Sums sums={leaves} /> : t('preview.nothing')}
        </Fact>
        {isApproval ? (
          <Fact label={t('preview.allows')}>
            <Sums sums={allows} />
          </Fact>
        ) : (
          <Fact label={t('preview.arrives')}>{buys ?? <Sums sums={arrives} />}</Fact>
        )}
        <Fact label={isApproval ? t('preview.allowedTo') : t('preview.to')}>
          <span className="flex flex-col items-end">
            {receiver !== null && <span className="font-medium">{t(`preview.contract_${receiver}`)}</span>}
            <Address value={preview.to} copy={false} />
          </span>
        </Fact>
        <ContractFact {...contract} />
        <Fact label={t('preview.cost')}>
          {preview.isTransaction ? t('preview.networkFee') : t('preview.free')}
        </Fact>
      </Facts>
      <p className="text-12 text-muted">{t('preview.compare')}</p>
    </section>
  )
}

function Sums({ sums }: { sums: readonly Sum[] }) {
  return (
    <span className="flex flex-col items-end">
      {sums.map(({ amount, unit }) => (
        <Money key={unit} amount={amount} unit={unit} exact className="font-semibold" />
      ))}
    </span>
  )
}
