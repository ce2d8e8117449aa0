import type { AdminActionEntry, RouteData, RouteInput } from '@rif/api-schema'
import type { Translate } from '../../../lib/index.ts'
import { utcText } from '../components/utc-time.tsx'
import type { FilterField } from '../list/list-filters.ts'
import type { ListShape } from '../list/list-rows.ts'
import { actionText } from './log-words.ts'

type Query = RouteInput<'adminLog'>['query']

/** The most frequently searched actions. */
const ACTIONS = [
  ...(['proposal.prepare', 'proposal.approve', 'proposal.refuse', 'proposal.withdraw'] as const),
  ...(['attempt.refused', 'member.freeze', 'member.note', 'price.publish', 'role.appoint'] as const),
  ...(['settlement.rerun', 'plan.publish', 'emergency.pause'] as const),
]

/** The filters of the log: a text, an action, an admin and days. */
export function logFields(
  t: Translate,
  admins: RouteData<'adminRoles'>['items'],
): readonly FilterField<Query>[] {
  const all = ['', t('desk.filter.all')] as const
  return [
    { name: 'q', label: t('admin.log.search'), as: 'search' },
    {
      name: 'action',
      label: t('desk.log.action'),
      as: 'choice',
      options: [all, ...ACTIONS.map((action) => [action, actionText(t, action)] as const)],
    },
    {
      name: 'actor',
      label: t('desk.log.who'),
      as: 'choice',
      options: [all, ...admins.map(({ address, person }) => [address, person] as const)],
    },
    { name: 'from', label: t('desk.log.from'), as: 'day' },
    { name: 'to', label: t('desk.log.to'), as: 'day' },
  ]
}

/** Returns the list form of entries; `whoOf` returns the name of an actor. */
export function logShape(t: Translate, whoOf: (actor: string) => string): ListShape<AdminActionEntry> {
  const muted = (text: string | null) => <span className="wrap-anywhere text-12 text-muted">{text}</span>
  const nameOf = ({ action, seq }: AdminActionEntry) => `${actionText(t, action)} #${seq}`
  return {
    keyOf: ({ seq }) => seq,
    nameOf,
    columns: [
      { key: 'action', head: t('desk.log.action'), cell: ({ action }) => actionText(t, action) },
      { key: 'subject', head: t('desk.log.subject'), cell: ({ subject }) => muted(subject) },
      {
        key: 'who',
        head: t('desk.log.who'),
        cell: ({ actor }) => <span className="whitespace-nowrap">{whoOf(actor)}</span>,
      },
      { key: 'reason', head: t('admin.reason'), isRoomy: true, cell: ({ reason }) => muted(reason) },
      {
        key: 'at',
        head: t('desk.log.at'),
        isFigure: true,
        cell: ({ acted_at: at }) => <span className="text-12 text-muted">{utcText(at)}</span>,
      },
    ],
    line: ({ action, subject, actor, acted_at: at }) => ({
      title: actionText(t, action),
      aside: utcText(at),
      text: `${whoOf(actor)} · ${subject}`,
    }),
  }
}
