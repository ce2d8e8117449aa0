import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatExact, isZero, PageLink, useTranslation } from '../lib/index.ts'
import { Meter, TokenMark } from '../ui/index.ts'

/** An amount that a payment takes of a token: wire amounts. */
export interface PayLine {
  asset: 'USDT' | 'AMC'
  amount: string
  /** The balance of the wallet; undefined while it is unknown. */
  has: string | undefined
  /** The member's balance on the platform. */
  onPlatform: string
}

/**
 * Returns the amount that the wallet lacks for a line of a payment; null when it lacks nothing, or the
 * balance is unknown.
 */
export function shortBy({ amount, has }: Pick<PayLine, 'amount' | 'has'>): string | null {
  if (has === undefined) return null
  const missing = parseMicros(amount) - parseMicros(has)
  return missing > 0n ? formatMicros(missing) : null
}

/**
 * Shows the amount of a token that a payment takes beside the wallet's balance: the rest, or the missing
 * amount and its possible sources.
 */
export function PayLineRow(line: PayLine) {
  const { t } = useTranslation()
  const { asset, amount, has } = line
  const missing = shortBy(line)
  const share = has === undefined || isZero(has) ? 1 : Number(parseMicros(amount)) / Number(parseMicros(has))
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-3 font-medium">
          <TokenMark token={asset} size={28} />
          {asset}
        </span>
        <b className="text-16 font-semibold">{formatExact(amount)}</b>
      </p>
      {has !== undefined && (
        <>
          <Meter
            label={t('pay.ofWallet', { asset })}
            share={share}
            text={t('pay.ofWalletText', { amount: formatExact(amount), has: formatExact(has) })}
          />
          <p className="flex flex-wrap justify-between gap-x-3 text-12 text-muted">
            <span>{t('pay.has', { amount: formatAmount(has) })}</span>
            {missing === null && (
              <span>
                {t('pay.stays', {
                  amount: formatAmount(formatMicros(parseMicros(has) - parseMicros(amount))),
                })}
              </span>
            )}
          </p>
        </>
      )}
      {missing !== null && <Missing missing={missing} {...line} />}
    </div>
  )
}

function Missing({ missing, asset, onPlatform }: PayLine & { missing: string }) {
  const { t } = useTranslation()
  const isThere = parseMicros(onPlatform) > 0n
  const linkClass = 'inline-flex min-h-11 items-center font-semibold text-accent'
  return (
    <div className="rounded-12 bg-warn-soft px-3 pt-2 text-14">
      <p>
        <b className="font-semibold">{t('pay.missing', { amount: formatExact(missing), asset })}</b>{' '}
        {isThere && t('pay.onPlatform', { amount: formatAmount(onPlatform), asset })}
      </p>
      <p className="flex flex-wrap gap-x-5">
        {isThere && (
          <PageLink to="/pages/withdrawal/index" className={linkClass}>
            {t('pay.withdraw', { asset })}
          </PageLink>
        )}
        <PageLink to="/pages/localWallet/index" className={linkClass}>
          {t('pay.receive', { asset })}
        </PageLink>
      </p>
    </div>
  )
}
