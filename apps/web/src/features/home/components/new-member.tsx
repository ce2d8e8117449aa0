import type { ReactNode } from 'react'
import {
  cx,
  decimalsOf,
  formatOwn,
  isZero,
  PageLink,
  shortAddress,
  useTranslation,
} from '../../../lib/index.ts'
import { buttonClass, Card, Icon, LinkRow, Section, TokenMark } from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'
import type { PortfolioView } from '../use-portfolio.ts'

const ASSETS = ['USDT', 'AMC', 'ETH'] as const

type State = 'done' | 'now' | 'todo'

function Step({
  number,
  state,
  title,
  children,
}: {
  number: number
  state: State
  title: string
  children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <li
      className="group grid grid-cols-[28px_1fr] gap-x-3"
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className="flex flex-col items-center">
        <span
          className={cx(
            'grid size-7 shrink-0 place-items-center rounded-full border-2 text-14 font-semibold',
            state === 'done'
              ? 'border-good bg-good text-card'
              : state === 'now'
                ? 'border-ink'
                : 'border-line text-muted',
          )}
        >
          {state === 'done' ? <Icon name="check" size={16} /> : number}
          {state === 'done' && <span className="sr-only">{t('home.new.done')}</span>}
        </span>
        <span
          aria-hidden="true"
          className={cx('w-0.5 flex-1 group-last:hidden', state === 'done' ? 'bg-good' : 'bg-line')}
        />
      </span>
      <div className="flex flex-col items-start gap-2 pb-6 group-last:pb-0">
        <h3 className={cx('text-16 font-semibold leading-7', state === 'todo' && 'text-muted')}>{title}</h3>
        {children}
      </div>
    </li>
  )
}

/** Three first steps for a member with nothing on the platform, and the money in the member's wallet. */
export function GettingStarted({ portfolio }: { portfolio: PortfolioView }) {
  const { t } = useTranslation()
  const owner = useOwnAddress()
  const { wallet } = portfolio
  const missing = ASSETS.filter((asset) => wallet !== undefined && isZero(wallet[asset]))
  const isReady = wallet !== undefined && missing.length === 0
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="text-16 font-semibold">{t('home.new.title')}</h2>
        <span className="text-14 text-muted">{t('home.new.progress', { done: isReady ? 2 : 1 })}</span>
      </div>
      <ol>
        <Step number={1} state="done" title={t('home.new.connected')}>
          <p className="text-14 text-muted">
            {t('home.new.connectedHint', { address: shortAddress(owner) })}
          </p>
        </Step>
        <Step number={2} state={isReady ? 'done' : 'now'} title={t('home.new.need')}>
          <p className="text-14 text-muted">{t('home.new.needHint')}</p>
          {wallet !== undefined && (
            <ul className="flex w-full flex-col gap-2 text-14">
              {ASSETS.map((asset) => (
                <li key={asset} className="flex items-center gap-3">
                  <TokenMark token={asset} size={20} />
                  <span className="flex-1">{asset}</span>
                  <span className={cx('font-medium', missing.includes(asset) && 'text-bad')}>
                    {formatOwn(wallet[asset], decimalsOf(asset))}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {wallet === undefined && <p className="text-14">{t('home.wallet.unread')}</p>}
          {missing.length > 0 && (
            <>
              <p className="text-14">
                {t('home.new.missing', { assets: missing.join(', ') })}
                {missing.includes('ETH') && ` ${t('home.new.missingEth')}`}
              </p>
              <PageLink to="/pages/localWallet/index" className={buttonClass('primary')}>
                {t('home.new.receive', { assets: missing.join(', ') })}
              </PageLink>
            </>
          )}
        </Step>
        <Step number={3} state={isReady ? 'now' : 'todo'} title={t('home.new.look')}>
          <p className="text-14 text-muted">{t('home.new.lookHint')}</p>
          {isReady && (
            <PageLink to="/pages/shop/index" className={buttonClass('primary')}>
              {t('home.toShop')}
            </PageLink>
          )}
        </Step>
      </ol>
    </Card>
  )
}

/** The three products in which a member can invest, each with its risk in one line. */
export function WhatYouCanDo() {
  const { t } = useTranslation()
  return (
    <Section title={t('home.can.title')}>
      <Card className="divide-y divide-line py-1">
        <LinkRow
          to="/pages/shop/index"
          icon="shop"
          title={t('home.can.packages')}
          detail={t('home.can.packagesHint')}
        />
        <LinkRow
          to="/pages/found/home"
          icon="fund"
          title={t('home.can.fund')}
          detail={t('home.can.fundHint')}
        />
        <LinkRow
          to="/pages/savings/index"
          icon="savings"
          title={t('home.can.savings')}
          detail={t('home.can.savingsHint')}
        />
        <LinkRow
          to="/pages/earnings"
          icon="rewards"
          title={t('earnings.title')}
          detail={t('earnings.hint')}
        />
      </Card>
    </Section>
  )
}
