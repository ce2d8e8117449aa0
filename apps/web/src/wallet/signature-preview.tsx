import { useAppConfig } from '../lib/app-config.ts'
import { useTranslation } from '../lib/i18n.ts'
import { Address } from '../ui/address.tsx'
import { Fact, Facts } from '../ui/card.tsx'
import { Money } from '../ui/money.tsx'
import { ContractFact } from './contract-fact.tsx'
import type { Preview, Sum } from './tx-flow/preview.ts'

/** What the next signature does in plain words: what leaves, what arrives, to whom, and whose contract it is. */
export function SignaturePreview({ preview }: { preview: Preview }) {
  const { t } = useTranslation()
  const { leaves, allows, arrives, buys, contract } = preview
  const isApproval = allows.length > 0
  const { bank, transfer } = useAppConfig()?.contracts ?? {}
  const receiver = preview.to === bank ? 'bank' : preview.to === transfer ? 'transfer' : null
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
