import type { SolvencyBooks } from '@rif/api-schema'
import { cx, formatAmount, formatCount, isZero, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, DataTable, Section } from '../../../ui/index.ts'

type Item = SolvencyBooks['items'][number]

/**
 * Shows the liabilities by account, the operator's own money, the books and the bank contract, down to a
 * difference of 0.
 */
export function BooksTable({ data }: { data: SolvencyBooks }) {
  const { t } = useTranslation()
  const { items, block } = data
  const title = t('adminSolvency.books')
  const row = (label: string, of: (item: Item) => string | null | undefined) => ({
    key: label,
    cells: [label, ...items.map((item) => textOf(of(item)))],
  })
  const ofAccount = (list: 'accounts' | 'own', account: string) => (item: Item) =>
    item[list].find((line) => line.account === account)?.amount
  const listed = (list: 'accounts' | 'own') =>
    (items[0]?.[list] ?? [])
      .map(({ account }) => account)
      .filter((account) => items.some((item) => !isZero(ofAccount(list, account)(item) ?? '0')))
  const strong = ({ key, cells }: { key: string; cells: readonly string[] }) => ({
    key,
    cells: cells.map((cell, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row never move
      <b key={place} className="font-semibold">
        {cell}
      </b>
    )),
  })
  const bank =
    block === null ? t('adminSolvency.bankUnknown') : t('adminSolvency.bank', { block: formatCount(block) })
  return (
    <Section title={title}>
      <Card>
        <DataTable
          stacks
          caption={title}
          head={[t('adminSolvency.account'), ...items.map(({ asset }) => asset)]}
          rows={[
            ...listed('accounts').map((account) =>
              row(t(`heldOwed.account.${account}`), ofAccount('accounts', account)),
            ),
            strong(row(t('adminSolvency.owed'), ({ owed }) => owed)),
            ...listed('own').map((account) =>
              row(t(`heldOwed.account.${account}`), ofAccount('own', account)),
            ),
            strong(row(t('adminSolvency.booksSum'), ({ books }) => books)),
            strong(row(bank, (item) => item.held)),
            {
              key: 'difference',
              cells: [
                t('adminSolvency.difference'),
                ...items.map(({ asset, difference }) => (
                  <span
                    key={asset}
                    className={cx(
                      'font-semibold',
                      difference !== null && (isZero(difference) ? 'text-good' : 'text-bad'),
                    )}
                  >
                    {textOf(difference)}
                  </span>
                )),
              ],
            },
          ]}
        />
      </Card>
    </Section>
  )
}

const textOf = (amount: string | null | undefined) =>
  amount == null ? '–' : formatAmount(amount, TWO_DECIMALS)
