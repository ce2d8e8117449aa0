import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Address, Card, Fact, Facts, IconButton, Money, Time } from '../../../ui/index.ts'
import { MemberPills } from '../components/member-pills.tsx'
import type { TreeEntry } from './tree-model.ts'

export interface NodeCardProps {
  entry: TreeEntry
  name: string
  onMenu: (entry: TreeEntry, box: DOMRect) => void
}

/** Who the current node is: level, both sides, investments, join time, inviter. */
export function NodeCard({ entry, name, onMenu }: NodeCardProps) {
  const { t } = useTranslation()
  const { member } = entry
  const side = (all: number, valid: number, investment: string) => (
    <>
      <span className="block">{t('my.counts', { all: formatCount(all), valid: formatCount(valid) })}</span>
      <Money amount={investment} unit="USDT" />
    </>
  )
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <div className="min-w-0">
          {name !== '' && <p className="truncate text-16 font-semibold">{name}</p>}
          <Address
            value={member.label}
            className={name === '' ? 'text-14 font-semibold' : 'text-14 text-muted'}
          />
        </div>
        <IconButton
          icon="more"
          label={t('tree.menu')}
          aria-haspopup="menu"
          onClick={(event) => onMenu(entry, event.currentTarget.getBoundingClientRect())}
        />
      </div>
      <MemberPills member={member} />
      <Facts>
        <Fact label={t('side.left')}>
          {side(member.left_team_size_all, member.left_team_size_valid, member.left_team_investment)}
        </Fact>
        <Fact label={t('side.right')}>
          {side(member.right_team_size_all, member.right_team_size_valid, member.right_team_investment)}
        </Fact>
        <Fact label={t('team.investment')}>
          <Money amount={member.investment} unit="USDT" />
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
            <Address value={member.inviter_address} copy={false} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}
