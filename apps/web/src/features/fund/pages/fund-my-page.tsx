import { FundTabs } from '../components/fund-tabs.tsx'

/** What do I hold: the second of the fund's tabs. */
export default function FundMyPage() {
  return <FundTabs only={1} />
}
