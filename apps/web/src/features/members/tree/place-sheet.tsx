import type { RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatCount, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Button, ErrorState, Notice, Sheet, Skeleton } from '../../../ui/index.ts'
import { InviteLink } from '../components/invite-link.tsx'
import type { FreePlace } from './tree-names.ts'

export interface PlaceSheetProps {
  place: FreePlace | null
  ownId: string
  onClose: () => void
  /** Shows a member in the tree. */
  onShow: (id: string) => void
}

/**
 * The invitation to a free place. Placement follows the rules (section 3): a link leads to the outer end of the member's
 * own left or right side, so for any other place it says so and offers the nearest one that the link does lead to.
 */
export function PlaceSheet({ place, ownId, onClose, onShow }: PlaceSheetProps) {
  const { t } = useTranslation()
  const invite = useQuery({ ...apiQuery('invite'), enabled: place !== null })
  return (
    <Sheet open={place !== null} onClose={onClose} title={t('tree.addTitle')}>
      {place !== null &&
        (invite.data !== undefined ? (
          <Offer place={place} ownId={ownId} invite={invite.data} onShow={onShow} />
        ) : invite.isError ? (
          <ErrorState onRetry={() => void invite.refetch()} />
        ) : (
          <Skeleton className="h-72 rounded-12" />
        ))}
    </Sheet>
  )
}

interface OfferProps extends Pick<PlaceSheetProps, 'ownId' | 'onShow'> {
  place: FreePlace
  invite: RouteData<'invite'>
}

function Offer({ place: { parent, side }, ownId, invite, onShow }: OfferProps) {
  const { t } = useTranslation()
  const isReached = invite.places[side].parent_id === parent.member.id
  // Below the own node both sides are reached; elsewhere the nearest one is the end of the section the place is in.
  const nearest = isReached || parent.member.id === ownId ? side : (parent.member.section ?? side)
  const { parent_id, parent_address, generation } = invite.places[nearest]
  return (
    <div className="flex flex-col gap-4">
      {!isReached && (
        <Notice tone="warn" title={t('tree.notReached')}>
          {t('tree.notReachedText', {
            address: shortAddress(parent.member.label),
            side: t(`side.${side}`),
            own: t(`side.${nearest}`),
          })}
        </Notice>
      )}
      <p className="text-14">
        {t('tree.leadsTo', {
          side: t(`side.${nearest}`),
          address: shortAddress(parent_address),
          generation: formatCount(generation),
        })}
      </p>
      <InviteLink link={invite.links[nearest]} />
      {!isReached && (
        <Button block variant="secondary" icon="search" onClick={() => onShow(parent_id)}>
          {t('tree.showPlace')}
        </Button>
      )}
    </div>
  )
}
