import { FundTabs } from '../components/fund-tabs.tsx'

/** The fund in the tab bar: products, my fund and income, with the last selected tab. */
export default function FundHomePage() {
  return <FundTabs />
}
