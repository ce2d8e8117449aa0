import type { ExitDestination } from '@rif/api-schema'
import { shortAddress, useTranslation } from '../../../lib/index.ts'
import { Notice, Segmented } from '../../../ui/index.ts'

/** Returns the possible destinations of an exit: approved here, and on the contract's list. */
export const usableDestinations = (destinations: readonly ExitDestination[]) =>
  destinations.filter(({ state, approved }) => state === 'listed' && approved !== null)

interface DestinationChoiceProps {
  destinations: readonly ExitDestination[]
  value: string
  onChange: (address: string) => void
}

/** A choice among the possible destinations, or a note that there is none. */
export function DestinationChoice({ destinations, value, onChange }: DestinationChoiceProps) {
  const { t } = useTranslation()
  const usable = usableDestinations(destinations)
  if (usable.length === 0) return <Notice tone="warn">{t('admin.treasury.noneListed')}</Notice>
  return (
    <Segmented
      wraps
      label={t('admin.treasury.to')}
      options={usable.map(({ address, approved }) => ({
        value: address,
        label: `${approved!.name} ${shortAddress(address)}`,
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
