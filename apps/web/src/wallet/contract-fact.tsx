import { useTranslation } from '../lib/i18n.ts'
import { Address } from '../ui/address.tsx'
import { Fact } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'

export interface ContractFactProps {
  name: 'usdt' | 'amc' | 'bank' | 'transfer'
  address: string
}

/** Which contract a signature is for: one that the product knows, by name, and its address to compare with the wallet's. */
export function ContractFact({ name, address }: ContractFactProps) {
  const { t } = useTranslation()
  return (
    <Fact label={t('preview.contract')}>
      <span className="flex flex-col items-end">
        <span className="inline-flex items-center gap-1 font-medium text-good">
          <Icon name="check" size={16} />
          {t(`preview.contract_${name}`)}
        </span>
        <Address value={address} copy={false} />
      </span>
    </Fact>
  )
}
