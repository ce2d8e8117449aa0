import { articleOf, type HelpHit, termOf, useHelpTexts, useTranslation } from '../../../lib/index.ts'
import { Card, LinkRow, Section } from '../../../ui/index.ts'

/** Articles and terms of the help. */
export function HelpResults({ hits, title }: { hits: readonly HelpHit[]; title: string }) {
  const { t } = useTranslation()
  const help = useHelpTexts('help').data
  const terms = useHelpTexts('terms').data
  if (help === undefined || terms === undefined || hits.length === 0) return null
  return (
    <Section title={title}>
      <Card className="divide-y divide-line py-1">
        {hits.map((hit) => {
          if (hit.kind === 'article')
            return (
              <LinkRow
                key={hit.name}
                to="/pages/help/article"
                search={{ name: hit.name }}
                icon="help"
                title={articleOf(help, hit.name).title}
              />
            )
          const { name } = termOf(terms, hit.name)
          return (
            <LinkRow
              key={`term ${hit.name}`}
              to="/pages/my/help"
              search={{ q: name }}
              icon="doc"
              title={name}
              detail={t('help.glossary')}
            />
          )
        })}
      </Card>
    </Section>
  )
}
