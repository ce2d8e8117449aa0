import type { PlacementSide, RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, copyText, formatCount, useTranslation } from '../../../lib/index.ts'
import {
  Card,
  Columns,
  IconButton,
  LinkRow,
  Loaded,
  Notice,
  Page,
  Segmented,
  Skeleton,
  TextWithAddress,
} from '../../../ui/index.ts'
import { useNamed } from '../../../wallet/receiver/names.tsx'
import { InviteLink } from '../components/invite-link.tsx'

const SIDES: readonly PlacementSide[] = ['auto', 'left', 'right']

/** The invitation link and the side on which new members are placed. */
export default function InvitePage() {
  const { t } = useTranslation()
  const invite = useQuery(apiQuery('invite'))
  return (
    <Page wide title={t('invite.title')}>
      <Loaded query={invite} skeleton={<InviteSkeleton />}>
        {(data) => <Invitation invite={data} />}
      </Loaded>
    </Page>
  )
}

function InviteSkeleton() {
  return (
    <Columns side={<Skeleton className="h-72 rounded-16" />}>
      <Skeleton className="h-28 rounded-16" />
      <Skeleton className="h-112 rounded-16" />
    </Columns>
  )
}

function Invitation({ invite }: { invite: RouteData<'invite'> }) {
  const { t } = useTranslation()
  const [side, setSide] = useState<PlacementSide>('auto')
  return (
    <Columns
      side={
        <>
          <Place invite={invite} side={side} />
          <Card className="divide-y divide-line py-1">
            <LinkRow
              to="/pages/my/invite/inviteTree"
              icon="tree"
              title={t('tree.title')}
              detail={t('invite.toTree')}
            />
            <LinkRow
              to="/pages/index/team_user"
              icon="team"
              title={t('team.title')}
              detail={t('invite.toTeam')}
            />
          </Card>
          <Notice>{t('invite.note')}</Notice>
        </>
      }
    >
      <Card className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="text-14 text-muted">{t('login.code')}</p>
          <p className="truncate text-28 font-semibold tracking-wider">{invite.invite_code}</p>
          <p className="text-14 text-muted">
            {t('invite.invited', {
              all: formatCount(invite.invited_count_all),
              valid: formatCount(invite.invited_count_valid),
            })}
          </p>
        </div>
        <IconButton
          icon="copy"
          label={t('common.copyValue', { value: invite.invite_code })}
          onClick={() => void copyText(invite.invite_code)}
        />
      </Card>
      <Segmented
        label={t('login.side')}
        options={SIDES.map((value) => ({ value, label: t(`side.${value}`) }))}
        value={side}
        onChange={setSide}
      />
      <Card className="flex flex-col gap-4">
        <InviteLink link={invite.links[side]} />
      </Card>
    </Columns>
  )
}

/** Shows the place that a new member would get with this link. */
function Place({ invite, side }: { invite: RouteData<'invite'>; side: PlacementSide }) {
  const { t } = useTranslation()
  const named = useNamed()
  const actual = side === 'auto' ? invite.auto : side
  const { parent_address, generation } = invite.places[actual]
  return (
    <Notice title={t(`invite.side_${side}`)}>
      {side === 'auto' && <p>{t('invite.autoNow', { side: t(`side.${actual}`) })}</p>}
      {generation === 1 ? (
        t('invite.placeOwn', { side: t(`side.${actual}`) })
      ) : (
        <TextWithAddress
          text={t('invite.place', {
            address: named(parent_address),
            side: t(`side.${actual}`),
            generation: formatCount(generation),
          })}
          address={parent_address}
        />
      )}
    </Notice>
  )
}
