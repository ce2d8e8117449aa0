import { HELP_ABOUT, PageLink, useTranslation } from '../lib/index.ts'

/** Links to the article about a state or an error code; renders nothing without one. */
export default function HelpTarget({ about, className }: { about: string; className?: string }) {
  const { t } = useTranslation()
  const name = HELP_ABOUT[about]
  if (name === undefined) return null
  return (
    <PageLink to="/pages/help/article" search={{ name }} className={className}>
      {t('help.whatNow')}
    </PageLink>
  )
}
