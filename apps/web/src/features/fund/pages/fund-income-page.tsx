import { FundTabs } from '../components/fund-tabs.tsx'

/** The fund income: the third of the fund's tabs. */
export default function FundIncomePage() {
  return <FundTabs only={2} />
}
