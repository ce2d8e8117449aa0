import { areas } from '../lib/areas.ts'
import { useTranslation } from '../lib/i18n.ts'
import { PageLink } from '../lib/page-link.tsx'
import { Icon } from './icon.tsx'

/** The ways to all areas besides the tabs. */
export function AreaGrid() {
  const { t } = useTranslation()
  return (
    <nav
      aria-label={t('areas.title')}
      className="grid grid-cols-4 gap-x-1 gap-y-3 rounded-12 bg-card px-2 py-4"
    >
      {areas.map(({ name, path, icon }) => (
        <PageLink
          key={path}
          to={path}
          className="flex min-w-0 flex-col items-center gap-2 rounded-12 text-center text-12"
        >
          <span className="grid size-11 place-items-center rounded-12 bg-sunken">
            <Icon name={icon} size={20} />
          </span>
          <span className="w-full hyphens-auto break-words">{t(`areas.${name}`)}</span>
        </PageLink>
      ))}
    </nav>
  )
}
