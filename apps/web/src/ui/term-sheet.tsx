import { PageLink, TERMS, type TermName, termOf, useHelpTexts, useTranslation } from '../lib/index.ts'
import { buttonClass } from './button.tsx'
import { SheetPanel } from './dialogs.tsx'
import { Loaded } from './loaded.tsx'
import { Skeleton } from './states.tsx'

/** Explains a term, with a link to an article with details. */
export default function TermSheet(props: { name: TermName; open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const query = useHelpTexts('terms')
  const { name, ...sheet } = props
  return (
    <SheetPanel
      {...sheet}
      title={query.data === undefined ? t('help.glossary') : termOf(query.data, name).name}
    >
      <Loaded query={query} skeleton={<Skeleton className="h-28 rounded-16" />}>
        {(texts) => (
          <div className="flex flex-col gap-4">
            <p className="text-16">{termOf(texts, name).text}</p>
            <PageLink
              to="/pages/help/article"
              search={{ name: TERMS[name] }}
              className={buttonClass('secondary')}
            >
              {t('info.more')}
            </PageLink>
          </div>
        )}
      </Loaded>
    </SheetPanel>
  )
}
