import { cx } from '../lib/cx.ts'
import type { TabPath } from '../lib/navigation.ts'
import { PageLink } from '../lib/page-link.tsx'
import { Icon, type IconName } from './icon.tsx'

export interface TabItem {
  path: TabPath
  label: string
  icon: IconName
}

/** The bottom tab bar: 65 px high, labels of 10 px, icons of 24 px; the selected one in ink (#061237 in the light theme). */
export function TabBar({
  items,
  current,
  label,
}: {
  items: readonly TabItem[]
  current: string
  label: string
}) {
  return (
    <nav
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-card pb-[env(safe-area-inset-bottom)]"
    >
      <div className="column flex h-[65px]">
        {items.map((item) => {
          const selected = item.path === current
          return (
            <PageLink
              key={item.path}
              to={item.path}
              aria-current={selected ? 'page' : undefined}
              className={cx(
                'flex min-w-0 flex-1 flex-col items-center justify-center gap-1 whitespace-nowrap text-10',
                selected ? 'font-semibold text-ink' : 'text-muted',
              )}
            >
              <Icon name={item.icon} size={24} />
              {item.label}
            </PageLink>
          )
        })}
      </div>
    </nav>
  )
}
