import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/address.tsx'
import { Fact } from '../../../ui/card.tsx'
import { Time } from '../../../ui/time.tsx'

export interface JoinFactsProps {
  member: { join_time: string; inviter_address: string | null }
}

/** When a member joined and by whose invitation, inside `Facts`. */
export function JoinFacts({ member }: JoinFactsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Fact label={t('team.joined')}>
        <Time value={member.join_time} />
      </Fact>
      {member.inviter_address !== null && (
        <Fact label={t('team.inviter')}>
          <Address value={member.inviter_address} copy={false} />
        </Fact>
      )}
    </>
  )
}
