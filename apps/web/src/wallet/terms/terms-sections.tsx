import { useQuery } from '@tanstack/react-query'
import { configQuery, type TextKey, usePlan, useTranslation } from '../../lib/index.ts'
import { Card, ListSkeleton, Loaded, Pill } from '../../ui/index.ts'
import { type InfoFigures, infoFigures } from './info-figures.ts'
import { TERMS_PARTS, type TermsName } from './terms-parts.ts'

// Joined, not a template: these long texts are loaded when they are shown, not with the first page (vite/text-keys.ts). The type
// check would know only the union of the keys with those of the other pages.
export const termsKey = (name: TermsName, part: string, field: 'title' | 'text') =>
  ['info', name, part, field].join('.') as TextKey

interface TermsSectionsProps {
  name: TermsName
  /** The parts to show, as `terms.what`; all by default. */
  only?: (part: string) => boolean
  /** Marks the parts as changed. */
  changed?: boolean
}

/** The parts of the terms or of the risks with the figures in force. */
export function TermsSections(props: TermsSectionsProps) {
  const plan = usePlan()
  const config = useQuery(configQuery)
  const skeleton = <ListSkeleton rows={6} />
  return (
    <Loaded query={plan} skeleton={skeleton}>
      {(figures) => (
        <Loaded query={config} skeleton={skeleton}>
          {(appConfig) => <Sections {...props} figures={infoFigures(figures, appConfig)} />}
        </Loaded>
      )}
    </Loaded>
  )
}

function Sections({
  name,
  only = () => true,
  changed = false,
  figures,
}: TermsSectionsProps & { figures: InfoFigures }) {
  const { t } = useTranslation()
  return TERMS_PARTS[name]
    .filter((part) => only(`${name}.${part}`))
    .map((part) => (
      <Card key={part}>
        <section id={part} className="flex scroll-mt-20 flex-col gap-2">
          <div className="flex items-center justify-between gap-3">
            <h2 className="text-16 font-semibold">{t(termsKey(name, part, 'title'))}</h2>
            {changed && <Pill tone="info">{t('consent.changed')}</Pill>}
          </div>
          <div className="max-w-prose text-14 text-muted">
            {t(termsKey(name, part, 'text'), { ...figures })}
          </div>
        </section>
      </Card>
    ))
}
