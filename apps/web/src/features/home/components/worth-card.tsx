import type { Me } from '@rif/api-schema'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../lib/page-link.tsx'
import { Money } from '../../../ui/money.tsx'
import { balanceOf, totalWorth } from '../overview.ts'

const SHOWN = [
  ['USDT', 'available'],
  ['AMC', 'available'],
  ['AMC', 'locked'],
  ['RIF', 'available'],
] as const

/** Worth of everything in USDT, and the balances it is made of. */
export function WorthCard({ me, amcPrice }: { me: Me; amcPrice: string | null }) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={t('home.worth')}
      className="flex flex-col gap-4 rounded-12 bg-[#061237] p-5 text-white"
    >
      <div>
        <p className="text-14 opacity-80">{t('home.worth')}</p>
        <p className="text-36 font-semibold">
          <Money amount={totalWorth(me, amcPrice)} unit="USDT" />
        </p>
        <p className="text-12 opacity-80">{amcPrice === null ? t('home.noPrice') : t('home.worthHint')}</p>
      </div>
      <dl className="grid grid-cols-2 gap-3">
        {SHOWN.map(([asset, account]) => (
          <div key={`${asset} ${account}`}>
            <dt className="text-12 opacity-80">{t(`account.${account}`)}</dt>
            <dd className="text-16 font-medium">
              <Money amount={balanceOf(me, asset, account)} unit={asset} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid grid-cols-2 gap-3">
        <PageLink
          to="/pages/shop/index"
          className="grid min-h-11 place-items-center rounded-12 bg-white text-16 font-semibold text-[#061237]"
        >
          {t('home.buy')}
        </PageLink>
        <PageLink
          to="/pages/withdrawal/index"
          className="grid min-h-11 place-items-center rounded-12 bg-white/15 text-16 font-semibold"
        >
          {t('home.withdraw')}
        </PageLink>
      </div>
    </section>
  )
}
