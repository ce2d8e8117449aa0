import { formatMicros, type PackageTerms, type Plan, TOP_LEVEL, termsOfLevel } from '@rif/rules'
import { formatAmount, formatPpm, PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, Section } from '../../../ui/index.ts'

/** What my level gives, what the next one would give, and what it needs. All figures from the plan in force. */
export function LevelCard({ level, plan }: { level: number; plan: Plan }) {
  const { t } = useTranslation()
  const next = level < TOP_LEVEL ? termsOfLevel(plan, level + 1) : null
  const columns = [
    { level, terms: termsOfLevel(plan, level) },
    ...(next === null ? [] : [{ level: next.level, terms: next }]),
  ]
  return (
    <Section title={t('my.levels.title')}>
      <Card className="flex flex-col gap-4">
        <table className="w-full text-14">
          <caption className="sr-only">{t('my.levels.caption')}</caption>
          <thead>
            <tr className="text-right text-12 text-muted">
              <th scope="col" className="pb-2 text-left font-normal">
                {t('my.levels.upTo')}
              </th>
              {columns.map((column, place) => (
                <th key={column.level} scope="col" className="pb-2 pl-2 font-normal">
                  {column.level === 0 ? t('my.levels.none') : t('my.level', { level: column.level })}
                  <span className="block">{place === 0 ? t('my.levels.now') : t('my.levels.next')}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map((row) => (
              <tr key={row} className="border-t border-line text-right">
                <th scope="row" className="wrap-anywhere py-2 pr-2 text-left font-normal">
                  {t(`my.levels.${row}`)}
                </th>
                {columns.map((column) => (
                  <td key={column.level} className="py-2 pl-2 align-top">
                    {figureOf(row, column, plan)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {next === null ? (
          <p className="text-14 text-muted">{t('my.levels.top')}</p>
        ) : (
          <>
            <p className="text-14">
              {t('my.levels.needs', {
                level: next.level,
                name: next.name,
                price: formatAmount(formatMicros(next.priceMicros), WHOLE),
              })}
            </p>
            <PageLink to="/pages/shop/index" className={buttonClass('secondary', true)}>
              {t('my.levels.toShop')}
            </PageLink>
          </>
        )}
        <p className="text-12 text-muted">{t('my.levels.hint')}</p>
      </Card>
    </Section>
  )
}

const ROWS = ['referral', 'organisation', 'static', 'pairing', 'pairingCap', 'withdrawal'] as const
type Row = (typeof ROWS)[number]

const WHOLE = { min: 0, max: 2 }

function figureOf(
  row: Row,
  { level, terms }: { level: number; terms: PackageTerms | null },
  plan: Plan,
): string {
  const usdt = (micros: bigint) => `${formatAmount(formatMicros(micros), WHOLE)} USDT`
  if (row === 'withdrawal') return usdt(plan.withdrawal.dayLimitMicros[level] ?? 0n)
  if (terms === null) return '–'
  if (row === 'pairingCap') return usdt(terms.pairingDayCapMicros)
  return formatPpm(
    {
      referral: terms.referralPpm,
      organisation: terms.organisationPpm,
      static: terms.staticPpm,
      pairing: terms.pairingPpm,
    }[row],
  )
}
