import type { NoticeChannel, NoticeKind, NoticeSettings } from '@rif/api-schema'
import { cx, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Card, CheckBox, Icon } from '../../../ui/index.ts'

type Kind = NoticeSettings['kinds'][number]

const GROUPS = {
  safety: ['sign_in', 'changes'],
  money: ['withdrawal'],
  fund: ['rewards', 'valuation', 'redemption', 'plan'],
  news: ['announcement'],
} as const satisfies Record<string, readonly NoticeKind[]>

const CHANNELS = ['push', 'mail'] as const satisfies readonly NoticeChannel[]
const CHANNEL_TEXTS = { push: 'notices.channelPush', mail: 'notices.channelMail' } as const
const COLUMNS = 'grid grid-cols-[minmax(0,1fr)_52px_52px] items-center'

/** The kinds of notices in groups, each with a box for push and one for mail. */
export function KindCards({ kinds }: { kinds: readonly Kind[] }) {
  const { t } = useTranslation()
  return Object.entries(GROUPS).map(([group, names]) => (
    <section key={group} className="flex flex-col gap-2">
      <div className={cx(COLUMNS, 'items-baseline pr-0.5 pl-1')}>
        <h2 className="text-17 font-semibold">{t(`notices.group.${group as keyof typeof GROUPS}`)}</h2>
        {CHANNELS.map((channel) => (
          <span key={channel} aria-hidden="true" className="text-center text-12 whitespace-nowrap text-muted">
            {t(CHANNEL_TEXTS[channel])}
          </span>
        ))}
      </div>
      <Card className="divide-y divide-line py-1">
        {names.map((name) => {
          const kind = kinds.find((kind) => kind.kind === name)
          return kind && <KindRow key={name} kind={kind} />
        })}
      </Card>
    </section>
  ))
}

function KindRow({ kind }: { kind: Kind }) {
  const { t } = useTranslation()
  const name = t(`notices.kind.${kind.kind}`)
  return (
    <div>
      {/* The boxes end where the line below them ends; their touch area extends further. */}
      <div className={cx(COLUMNS, '-mr-3.5 min-h-14 justify-items-center py-1.5')}>
        <span className="min-w-0 justify-self-start">
          <span className="block text-16 font-medium">{name}</span>
          <span className="block text-13 text-muted">{t(`notices.about.${kind.kind}`)}</span>
        </span>
        {CHANNELS.map((channel) => (
          <ChannelBox key={channel} kind={kind} channel={channel} name={name} />
        ))}
      </div>
    </div>
  )
}

/** A box of 20 px in a touch area of 44 px; a kind about safety shows a lock. */
function ChannelBox({ kind, channel, name }: { kind: Kind; channel: NoticeChannel; name: string }) {
  const { t } = useTranslation()
  const choose = useApiMutation('chooseNotice', { refresh: ['notices'] })
  const label = `${name}: ${t(CHANNEL_TEXTS[channel])}`
  if (kind.locked)
    return (
      <span
        role="img"
        aria-label={`${label}, ${t('notices.always')}`}
        className="grid size-11 place-items-center"
      >
        <span className="grid size-5 place-items-center rounded-[6px] border-[1.5px] border-line-strong bg-sunken text-muted">
          <Icon name="lock" size={12} />
        </span>
      </span>
    )
  // Until the response arrives the box shows the tapped state.
  const on = choose.isPending ? choose.variables?.body.on === true : kind[channel]
  return (
    <CheckBox
      label={label}
      checked={on}
      disabled={choose.isPending}
      onChange={() => choose.mutate({ body: { kind: kind.kind, channel, on: !on } })}
    />
  )
}
