import { useSearch } from '@tanstack/react-router'
import { TransferPage } from '../components/transfer-page.tsx'

/** Out of savings: the net amount and its time are shown before the confirmation. Rules, section 9. */
export default function SavingsOutPage() {
  const { asset } = useSearch({ from: '/pages/savings/out' })
  return <TransferPage direction="out" asset={asset} />
}
