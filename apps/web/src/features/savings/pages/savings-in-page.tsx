import { useSearch } from '@tanstack/react-router'
import { TransferPage } from '../components/transfer-page.tsx'

/** Into savings: at once, without a fee or a limit. Rules, section 9. */
export default function SavingsInPage() {
  const { asset } = useSearch({ from: '/pages/savings/in' })
  return <TransferPage direction="in" asset={asset} />
}
