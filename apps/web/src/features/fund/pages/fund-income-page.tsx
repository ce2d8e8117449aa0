import { FundTabs } from '../components/fund-tabs.tsx'

/** What income did my line bring: the third of the fund's tabs. */
export default function FundIncomePage() {
  return <FundTabs only={2} />
}
