import { FundTabs } from '../components/fund-tabs.tsx'

/** The member's holdings: the second of the fund's tabs. */
export default function FundMyPage() {
  return <FundTabs only={1} />
}
