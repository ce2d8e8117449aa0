import type { LinkComponent, LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { cx, PageLink } from '../lib/index.ts'
import { IconCircle, type Tone } from './card.tsx'
import { Icon, type IconName } from './icon.tsx'

interface RowContent {
  icon?: IconName
  /** The colour of the icon's circle. */
  tone?: Tone
  /** Takes the place of the icon: a `TokenMark` or an `Avatar` of 40 px. */
  mark?: ReactNode
  /** In a narrow window the text replaces the icon. */
  wordy?: boolean
  title: ReactNode
  detail?: ReactNode
  end?: ReactNode
}

function Content({ wordy = false, title, detail, end, arrow, ...rest }: RowContent & { arrow: boolean }) {
  const start = rest.mark ?? (rest.icon !== undefined && <IconCircle icon={rest.icon} tone={rest.tone} />)
  return (
    <>
      {start && <span className={cx('shrink-0', wordy && 'max-[359px]:hidden')}>{start}</span>}
      {/* In a narrow window the detail goes below, as wide as both. */}
      <span className="flex min-w-0 flex-1 items-center gap-x-3 max-[359px]:grid max-[359px]:grid-cols-[minmax(0,1fr)_auto]">
        <span className="min-w-0 flex-1 max-[359px]:contents">
          <span className="block break-words text-16 font-medium">{title}</span>
          {detail !== undefined && (
            <span className="col-span-2 row-start-2 block break-words text-13 text-muted">{detail}</span>
          )}
        </span>
        {end !== undefined && <span className="shrink-0 text-right text-14 font-medium">{end}</span>}
      </span>
      {arrow && <Icon name="forward" size={16} className="text-muted" />}
    </>
  )
}

const rowClass = 'flex min-h-14 w-full items-center gap-3 py-2 text-left'

/** A line of a list that opens a page. */
export const LinkRow: LinkComponent<ComponentType<RowContent>> = ({
  icon,
  tone,
  mark,
  wordy,
  title,
  detail,
  end,
  ...link
}) => (
  <PageLink {...(link as LinkProps)} className={rowClass}>
    <Content {...{ icon, tone, mark, wordy, title, detail, end }} arrow />
  </PageLink>
)

/** A line of a list that opens a sheet. */
export function ButtonRow({ onClick, ...content }: RowContent & { onClick: () => void }) {
  return (
    <button type="button" aria-haspopup="dialog" className={rowClass} onClick={onClick}>
      <Content {...content} arrow />
    </button>
  )
}

/** A line of a list without a link. */
export function Row(content: RowContent) {
  return (
    <div className={rowClass}>
      <Content {...content} arrow={false} />
    </div>
  )
}
