import type { TeamMember } from '@rif/api-schema'
import type { ReactNode } from 'react'
import {
  cx,
  formatAmount,
  formatDate,
  isZero,
  levelName,
  PageLink,
  shortestAddress,
  useTranslation,
} from '../../../lib/index.ts'
import { Avatar } from '../../../ui/index.ts'
import { NoteLine, useNames } from '../../../wallet/receiver/names.tsx'

export interface MemberRowProps {
  member: TeamMember
  /** The viewer's own name for the member. */
  label: string | undefined
  /** The viewer's address. */
  own: string | undefined
  /** Shows the member in the tree above the list; without it the row leads to the page of the tree. */
  onShow?: ((id: string) => void) | undefined
  isShown?: boolean
}

const COLUMNS = 'lg:grid lg:grid-cols-[minmax(0,2.2fr)_1fr_minmax(0,1.6fr)_1fr_1.1fr_1.1fr] lg:gap-x-3'

/** The headings of the columns in which rows are drawn from 1024 px on; each cell has its own name for a screen reader. */
export function MemberHead() {
  const { t } = useTranslation()
  return (
    <div aria-hidden="true" className={cx('hidden px-4 pb-1 text-12 text-muted', COLUMNS)}>
      <span>{t('team.member')}</span>
      <span>{t('team.side')}</span>
      <span>{t('team.inviter')}</span>
      <span>{t('team.level')}</span>
      <span className="text-right">{t('team.paidFor')}</span>
      <span className="text-right">{t('team.joined')}</span>
    </div>
  )
}

/** A member of the team, as three lines on a phone or six columns on a desktop; it leads to the member's place in the tree. */
export function MemberRow({ member, label, own, onShow, isShown = false }: MemberRowProps) {
  const { t } = useTranslation()
  const namesOf = useNames()
  const { address, section, level, investment, inviter_address } = member
  const short = shortestAddress(address)
  const isInvited = own !== undefined && inviter_address === own
  const isDeactivated = member.state === 'deactivated'
  const inviterName =
    inviter_address === null ? null : (namesOf(inviter_address).name ?? shortestAddress(inviter_address))
  const inviter = isInvited ? t('team.you') : (inviterName ?? '–')
  const invitedBy = isInvited
    ? t('team.invitedByYou')
    : inviterName === null
      ? ''
      : t('team.invitedBy', { name: inviterName })
  const side = section === null ? '' : t(`side.${section}`)
  const joined = t('team.joinedOn', { day: formatDate(member.join_time) })
  const levelText = level > 0 ? levelName(t, level) : t('team.noPackage')
  const paid = (
    <span className={cx('font-medium', isZero(investment) && 'text-muted')}>{formatAmount(investment)}</span>
  )
  const cells = (
    <>
      <span className="flex min-w-0 flex-1 items-center gap-3">
        <span className="max-[359px]:hidden">
          <Avatar address={address} />
        </span>
        <span className="min-w-0">
          <span className="block truncate text-16 font-medium">{label || short}</span>
          <span className="block break-words text-13 text-muted lg:hidden">
            {[label ? short : '', side, joined].filter((part) => part !== '').join(' · ')}
          </span>
          <span className="block break-words text-13 text-muted lg:hidden">
            {[invitedBy, isDeactivated ? t('team.deactivated') : '']
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
          {label && <span className="hidden text-12 text-muted lg:block">{short}</span>}
          <NoteLine address={address} />
        </span>
      </span>
      <Cell name={t('team.side')}>{side}</Cell>
      <Cell name={t('team.inviter')} muted={!isInvited}>
        {inviter}
      </Cell>
      <Cell name={t('team.level')}>
        {levelText}
        {isDeactivated && ` · ${t('team.deactivated')}`}
      </Cell>
      <span className="shrink-0 text-right">
        <span className="sr-only">{t('team.paidFor')} </span>
        <span className="block text-16 lg:text-14">{paid}</span>
        <span className="block text-13 text-muted lg:hidden">{levelText}</span>
      </span>
      <Cell name={t('team.joined')} muted end>
        {formatDate(member.join_time)}
      </Cell>
    </>
  )
  const look = cx('-mx-4 flex min-h-16 items-center gap-3 px-4 py-2.5', COLUMNS)
  if (onShow === undefined)
    return (
      <PageLink to="/pages/my/invite/inviteTree" search={{ member: member.member_id }} className={look}>
        {cells}
      </PageLink>
    )
  return (
    <button
      type="button"
      aria-pressed={isShown}
      className={cx(look, 'w-[calc(100%+2rem)] text-left hover:bg-sunken', isShown && 'bg-accent-soft')}
      onClick={() => onShow(member.member_id)}
    >
      {cells}
    </button>
  )
}

interface CellProps {
  name: string
  muted?: boolean
  end?: boolean
  children: ReactNode
}

/** A column that only a desktop shows. */
function Cell({ name, muted = false, end = false, children }: CellProps) {
  return (
    <span className={cx('hidden text-14 lg:block', muted && 'text-muted', end && 'text-right')}>
      <span className="sr-only">{name} </span>
      {children}
    </span>
  )
}
