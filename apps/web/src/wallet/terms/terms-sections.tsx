import type { TermsFigures, TermsVersion } from '@rif/rules'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { configQuery, type TextKey, useTranslation } from '../../lib/index.ts'
import { Card, ListSkeleton, Loaded, Pill } from '../../ui/index.ts'
import { TERMS_PARTS, type TermsName } from './terms-parts.ts'
import { readTerms } from './terms-text.ts'

// Joined, not a template: these long texts are loaded when they are shown, not with the first page (vite/text-keys.ts). The type
// check would know only the union of the keys with those of the other pages.
export const termsKey = (name: TermsName, part: string, field: 'title' | 'text') =>
  ['info', name, part, field].join('.') as TextKey

interface TermsSectionsProps {
  name: TermsName
  /** The text with the figures; that in force by default. */
  terms?: TermsVersion
  /** The parts to show, as `terms.what`; all by default. */
  only?: (part: string) => boolean
  /** Marks the parts as changed. */
  changed?: boolean
}

/** The parts of the terms or of the risks, with the figures of a published text. */
export function TermsSections({ terms, ...props }: TermsSectionsProps) {
  const config = useQuery(configQuery)
  if (terms !== undefined) return <Figured {...props} terms={terms} />
  return (
    <Loaded query={config} skeleton={<ListSkeleton rows={6} />}>
      {(appConfig) => <Figured {...props} terms={appConfig.terms} />}
    </Loaded>
  )
}

/** The figures of a published text, which never change. */
export const figuresQuery = (terms: TermsVersion) =>
  queryOptions({
    queryKey: ['terms_figures', terms.sha256],
    queryFn: () => readTerms(terms),
    staleTime: Number.POSITIVE_INFINITY,
  })

function Figured({ terms, ...props }: Omit<TermsSectionsProps, 'terms'> & { terms: TermsVersion }) {
  const figures = useQuery(figuresQuery(terms))
  return (
    <Loaded query={figures} skeleton={<ListSkeleton rows={6} />}>
      {(termFigures) => <Sections {...props} figures={termFigures} />}
    </Loaded>
  )
}

function Sections({
  name,
  only = () => true,
  changed = false,
  figures,
}: Omit<TermsSectionsProps, 'terms'> & { figures: TermsFigures }) {
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
          <div className="max-w-prose whitespace-pre-line wrap-anywhere text-14 text-muted">
            {t(termsKey(name, part, 'text'), { ...figures })}
          </div>
        </section>
      </Card>
    ))
}
