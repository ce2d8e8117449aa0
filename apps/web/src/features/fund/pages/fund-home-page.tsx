import { FundTabs } from '../components/fund-tabs.tsx'

/** The fund in the tab bar: products, my fund and income, of which the one selected last is shown. */
export default function FundHomePage() {
  return <FundTabs />
}
