import { useEffect, useState } from 'react'
import { switchTab, useTranslation } from '../../../lib/index.ts'
import { Page, SwipeTabs } from '../../../ui/index.ts'
import { FUND_TABS, type FundTabIndex, keepFundTab, readFundTab } from '../fund-tab.ts'
import { HomePanel } from './home-panel.tsx'
import { IncomePanel } from './income-panel.tsx'
import { MyPanel } from './my-panel.tsx'

export interface FundTabsProps {
  /** The tab of a page that stands for one; without it the page is the tab bar's, and the last selected tab counts. */
  only?: FundTabIndex
}

/** The fund's three tabs. Another one than a page stands for is shown by the page of the tab bar. */
export function FundTabs({ only }: FundTabsProps) {
  const { t } = useTranslation()
  const [index, setIndex] = useState(() => only ?? readFundTab())
  useEffect(() => keepFundTab(index), [index])
  const select = (next: number) => {
    keepFundTab(next as FundTabIndex)
    if (only === undefined) setIndex(next as FundTabIndex)
    else switchTab('/pages/found/home')
  }
  return (
    <Page title={t('fund.title')} back={only !== undefined}>
      <SwipeTabs
        label={t('fund.title')}
        tabs={FUND_TABS.map((name) => t(`fund.tab.${name}`))}
        index={index}
        onChange={select}
      >
        {index === 0 && <HomePanel />}
        {index === 1 && (
          <MyPanel
            path={only === undefined ? '/pages/found/home' : '/pages/found/my'}
            onProducts={() => select(0)}
          />
        )}
        {index === 2 && <IncomePanel />}
      </SwipeTabs>
    </Page>
  )
}
