import { kept } from '../../lib/index.ts'

/** The fund's tabs from left to right. Specification section 2. */
export const FUND_TABS = ['home', 'my', 'income'] as const
export type FundTabIndex = 0 | 1 | 2

/** Under which the selected tab is kept in local storage. Specification section 2. */
const KEY = 'my_page_swiper_current'

/** The tab that was selected last; the first when there was none. */
export function readFundTab(): FundTabIndex {
  const index = kept.get(KEY)
  return index === '1' ? 1 : index === '2' ? 2 : 0
}

export const keepFundTab = (index: FundTabIndex) => kept.set(KEY, String(index))
