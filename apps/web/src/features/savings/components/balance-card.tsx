import type { SavingsAccount } from '@rif/api-schema'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Money } from '../../../ui/index.ts'

const SUMS = ['yesterday_income', 'total_earned', 'total_holding_value'] as const

/** The account in sums of USDT worth, and the two ways to move money. */
export function BalanceCard({ account }: { account: SavingsAccount }) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={t('savings.title')}
      className="flex flex-col gap-4 rounded-12 bg-hero p-5 text-white"
    >
      <div>
        <p className="text-14 opacity-80">{t('savings.sum.total_amount')}</p>
        <p className="font-semibold">
          <Money amount={account.total_amount} unit="USDT" fit />
        </p>
        <p className="text-12 opacity-80">
          {account.prices.AMC === null ? t('savings.noPrice') : t('savings.worthHint')}
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-3 max-[359px]:grid-cols-1">
        {SUMS.map((name) => (
          <div key={name}>
            <dt className="text-12 opacity-80">{t(`savings.sum.${name}`)}</dt>
            <dd className="text-16 font-medium">
              <Money amount={account[name]} unit="USDT" />
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-12 opacity-80">{t('savings.sum.locked_amc')}</dt>
          <dd className="text-16 font-medium">
            <Money amount={account.locked_amc} unit="AMC" />
          </dd>
        </div>
      </dl>
      <div className="grid grid-cols-2 gap-3">
        <PageLink
          to="/pages/savings/in"
          className="grid min-h-11 place-items-center rounded-12 bg-white text-16 font-semibold text-on-white"
        >
          {t('savings.in.action')}
        </PageLink>
        <PageLink
          to="/pages/savings/out"
          className="grid min-h-11 place-items-center rounded-12 bg-white/15 text-16 font-semibold"
        >
          {t('savings.out.action')}
        </PageLink>
      </div>
    </section>
  )
}
