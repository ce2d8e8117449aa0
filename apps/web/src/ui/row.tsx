import type { LinkComponent, LinkProps } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { PageLink } from '../lib/page-link.tsx'
import { Icon, type IconName } from './icon.tsx'

interface RowContent {
  icon?: IconName
  /** In a narrow window the icon leaves its place to the words. */
  wordy?: boolean
  title: ReactNode
  detail?: ReactNode
  end?: ReactNode
}

function Content({ icon, wordy = false, title, detail, end, arrow }: RowContent & { arrow: boolean }) {
  return (
    <>
      {icon !== undefined && (
        <span
          className={cx(
            'grid size-10 shrink-0 place-items-center rounded-12 bg-sunken',
            wordy && 'max-[359px]:hidden',
          )}
        >
          <Icon name={icon} size={20} />
        </span>
      )}
      {/* In a narrow window the detail goes below, as wide as both. */}
      <span className="flex min-w-0 flex-1 items-center gap-x-3 max-[359px]:grid max-[359px]:grid-cols-[minmax(0,1fr)_auto]">
        <span className="min-w-0 flex-1 max-[359px]:contents">
          <span className="block break-words text-16">{title}</span>
          {detail !== undefined && (
            <span className="col-span-2 row-start-2 block break-words text-14 text-muted">{detail}</span>
          )}
        </span>
        {end !== undefined && <span className="shrink-0 text-right text-14">{end}</span>}
      </span>
      {arrow && <Icon name="forward" size={16} className="text-muted" />}
    </>
  )
}

const rowClass = 'flex min-h-14 w-full items-center gap-3 py-2 text-left'

/** A line of a list that opens a page. */
export const LinkRow: LinkComponent<ComponentType<RowContent>> = ({
  icon,
  wordy,
  title,
  detail,
  end,
  ...link
}) => (
  <PageLink {...(link as LinkProps)} className={rowClass}>
    <Content {...{ icon, wordy, title, detail, end }} arrow />
  </PageLink>
)

/** A line of a list that only tells something. */
export function Row(content: RowContent) {
  return (
    <div className={rowClass}>
      <Content {...content} arrow={false} />
    </div>
  )
}
