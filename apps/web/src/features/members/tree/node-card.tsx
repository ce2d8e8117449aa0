import { Menu } from '@base-ui/react/menu'
import type { MemberLabel, TreeMember } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useMemo } from 'react'
import {
  apiQuery,
  copyText,
  formatAmount,
  formatCount,
  levelName,
  shortAddress,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  Card,
  Fact,
  Facts,
  Icon,
  IconButton,
  type IconName,
  Money,
  Pill,
  Stat,
  Time,
} from '../../../ui/index.ts'
import { NoteLine, useNames } from '../../../wallet/receiver/names.tsx'
import { type TreeEntry, treeSizeOf } from './tree-model.ts'
import type { FreePlace } from './use-tree.ts'

export interface NodeCardProps {
  entry: TreeEntry
  name: string
  ownId: string
  onMenu: (entry: TreeEntry, box: DOMRect) => void
}

const ALL_WORDS = 3

/**
 * Returns the sides from the own node down to a node, in words, and its depth; null for the own node and if
 * the path is unknown.
 */
function usePlace(entry: TreeEntry, ownId: string) {
  const { t } = useTranslation()
  const sides: string[] = []
  let above: TreeEntry | null = entry
  for (; above !== null && above.member.id !== ownId; above = above.parent)
    if (above.member.side !== null) sides.unshift(t(`tree.${above.member.side}`))
  if (above === null || sides.length === 0) return null
  const shown = sides.slice(0, ALL_WORDS).join(', ')
  return {
    sides: sides.length > ALL_WORDS ? `${shown} …` : shown,
    generations: t('tree.below', { count: sides.length }),
  }
}

/** The selected node: its place, payments, team, join time, inviter. */
export function NodeCard({ entry, name, ownId, onMenu }: NodeCardProps) {
  const { t } = useTranslation()
  const { member } = entry
  const place = usePlace(entry, ownId)
  const inviterName = useNames()(member.inviter_address).name
  const below = treeSizeOf(entry, 'left') + treeSizeOf(entry, 'right')
  const side = (all: number, valid: number, investment: string) => (
    <>
      <span className="block">{t('my.counts', { all: formatCount(all), valid: formatCount(valid) })}</span>
      <Money amount={investment} unit="USDT" />
    </>
  )
  return (
    <Card className="relative flex flex-col gap-4 max-lg:-mx-4 max-lg:rounded-t-24 max-lg:rounded-b-none max-lg:pt-5">
      <div className="flex items-center gap-3">
        <Avatar address={member.label} size={48} />
        <div className="min-w-0 flex-1">
          {name !== '' && <p className="truncate text-17 font-semibold">{name}</p>}
          <MemberPills member={member} />
        </div>
        <IconButton
          icon="more"
          label={t('tree.menu')}
          aria-haspopup="menu"
          onClick={(event) => onMenu(entry, event.currentTarget.getBoundingClientRect())}
        />
      </div>
      <div className="-mt-2">
        <Address
          value={member.label}
          className={name === '' ? 'text-14 font-semibold' : 'text-14 text-muted'}
        />
        <NoteLine whole address={member.label} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(84px,1fr))] gap-3">
        {place !== null && <Stat label={t('tree.place')} value={place.sides} hint={place.generations} />}
        <Stat label={t('team.paidFor')} value={formatAmount(member.investment)} hint="USDT" />
        <Stat
          label={t('team.below')}
          value={formatCount(below)}
          hint={t('my.valid', {
            count: formatCount(member.left_team_size_valid + member.right_team_size_valid),
          })}
        />
      </div>
      <Facts>
        <Fact label={t('side.left')}>
          {side(member.left_team_size_all, member.left_team_size_valid, member.left_team_investment)}
        </Fact>
        <Fact label={t('side.right')}>
          {side(member.right_team_size_all, member.right_team_size_valid, member.right_team_investment)}
        </Fact>
        <Fact label={t('my.invited')}>
          {t('my.counts', {
            all: formatCount(member.invited_count_all),
            valid: formatCount(member.invited_count_valid),
          })}
        </Fact>
        <Fact label={t('team.joined')}>
          <Time value={member.join_time} />
        </Fact>
        {member.inviter_address !== null && (
          <Fact label={t('team.inviter')}>
            {inviterName !== null && <span className="block">{inviterName}</span>}
            <Address value={member.inviter_address} copy={false} />
          </Fact>
        )}
      </Facts>
      {member.id !== ownId && <Received memberId={member.id} />}
    </Card>
  )
}

/**
 * Shows the amounts paid to the viewer from a member's packages, by kind, of those due. Nothing before the
 * first.
 */
function Received({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const sums = useQuery(apiQuery('profitFrom', { params: { member_id: memberId } })).data
  if (sums === undefined || sums.types.length === 0) return null
  const kinds = sums.types.map(({ type, paid }) => `${t(`rewards.short.${type}`)} ${formatAmount(paid)}`)
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3 text-14">
      <p className="flex items-baseline justify-between gap-3">
        <span className="text-muted">{t('tree.received')}</span>
        <Money amount={sums.paid} unit="USDT" className="font-semibold" />
      </p>
      <p className="text-12 text-muted">
        {kinds.join(', ')}{' '}
        {sums.paid === sums.value
          ? t('tree.receivedFull')
          : t('tree.receivedOf', { due: formatAmount(sums.value) })}
      </p>
    </div>
  )
}

/** A member's level, state, and side of the viewer. */
function MemberPills({ member }: { member: Pick<TreeMember, 'level' | 'state' | 'section'> }) {
  const { t } = useTranslation()
  const { level, state, section } = member
  return (
    <div className="flex flex-wrap gap-2">
      <Pill tone={level > 0 ? 'info' : 'neutral'}>{levelName(t, level)}</Pill>
      <Pill tone={state === 'active' ? 'good' : 'neutral'}>{t(`team.${state}`)}</Pill>
      {section !== null && <Pill>{t(`side.${section}`)}</Pill>}
    </div>
  )
}

export interface OpenMenu {
  entry: TreeEntry
  /** The node's box on the screen, next to which the menu opens. */
  box: DOMRect
}

export interface NodeMenuProps {
  open: OpenMenu | null
  /** The container, inside the main part so that it belongs to a landmark. */
  container: RefObject<HTMLDivElement | null>
  onClose: () => void
  label: MemberLabel | undefined
  isOwn: boolean
  onAdd: (place: FreePlace) => void
  onEdit: (entry: TreeEntry) => void
  onDelete: (entry: TreeEntry) => void
}

/** The actions of a node: copy its wallet, invite to a free place below it, change or delete the private label. */
export function NodeMenu({ open, container, onClose, label, isOwn, onAdd, onEdit, onDelete }: NodeMenuProps) {
  const { t } = useTranslation()
  const anchor = useMemo(() => ({ getBoundingClientRect: () => open?.box ?? new DOMRect() }), [open])
  const entry = open?.entry
  const free = (['left', 'right'] as const).filter(
    (side) => entry !== undefined && treeSizeOf(entry, side) === 0,
  )
  return (
    <Menu.Root open={open !== null} onOpenChange={(next) => !next && onClose()}>
      <Menu.Portal container={container}>
        <Menu.Positioner anchor={anchor} sideOffset={4} collisionPadding={8} className="z-30">
          <Menu.Popup
            aria-label={
              entry === undefined
                ? ''
                : t('tree.menuOf', { name: label?.label || shortAddress(entry.member.label) })
            }
            className="min-w-56 rounded-12 bg-card p-1 shadow-2 outline outline-line"
          >
            {entry !== undefined && (
              <>
                <Item icon="copy" onClick={() => void copyText(entry.member.label)}>
                  {t('tree.copy')}
                </Item>
                {free.map((side) => (
                  <Item key={side} icon="invite" onClick={() => onAdd({ parent: entry, side })}>
                    {t(`tree.add_${side}`)}
                  </Item>
                ))}
                {free.length === 0 && (
                  <Item icon="invite" disabled hint={t('tree.addNone')}>
                    {t('tree.add')}
                  </Item>
                )}
                <Item icon="edit" onClick={() => onEdit(entry)}>
                  {t('tree.edit')}
                </Item>
                <Item
                  icon="trash"
                  disabled={isOwn || label === undefined}
                  hint={isOwn ? t('tree.deleteRoot') : label === undefined ? t('tree.deleteNone') : undefined}
                  onClick={() => onDelete(entry)}
                >
                  {t('tree.delete')}
                </Item>
              </>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

interface ItemProps {
  icon: IconName
  disabled?: boolean
  /** The reason why it is disabled. */
  hint?: string | undefined
  onClick?: () => void
  children: string
}

function Item({ icon, disabled = false, hint, onClick, children }: ItemProps) {
  return (
    <Menu.Item
      disabled={disabled}
      onClick={onClick}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-8 px-3 py-2 text-14 outline-none data-[disabled]:cursor-default data-[disabled]:text-muted data-[highlighted]:bg-sunken"
    >
      <Icon name={icon} size={20} />
      <span>
        {children}
        {hint !== undefined && <span className="block text-12 text-muted">{hint}</span>}
      </span>
    </Menu.Item>
  )
}
