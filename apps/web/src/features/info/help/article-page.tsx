import { useSearch } from '@tanstack/react-router'
import {
  ARTICLES,
  type Article,
  articleOf,
  formatSince,
  isArticle,
  type Texts,
  useHelpTexts,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Card,
  Columns,
  ContactRow,
  EmptyState,
  ListSkeleton,
  Loaded,
  Page,
  Section,
} from '../../../ui/index.ts'
import { OtherPages } from '../other-pages.tsx'
import { ArticleList } from './help-page.tsx'
import { useHelpFigures } from './use-help-figures.ts'

/** One article of the help, with related articles and the contact. */
export default function ArticlePage() {
  const { t } = useTranslation()
  const query = useHelpTexts('help')
  const { name = '' } = useSearch({ from: '/pages/help/article' })
  if (!isArticle(name))
    return (
      <Page title={t('info.help.title')}>
        <EmptyState
          icon="help"
          title={t('help.noArticle')}
          next={{ to: '/pages/my/help', label: t('help.all') }}
        />
      </Page>
    )
  return (
    <Page wide title={query.data === undefined ? t('info.help.title') : articleOf(query.data, name).title}>
      <Loaded query={query} skeleton={<ListSkeleton rows={4} />}>
        {(texts) => <Content name={name} texts={texts} />}
      </Loaded>
    </Page>
  )
}

function Content({ name, texts }: { name: Article; texts: Texts }) {
  const { t } = useTranslation()
  const figures = useHelpFigures()
  // Without figures, sentences would have gaps.
  if (figures === null) return <ListSkeleton rows={4} />
  const { lead, parts } = articleOf(texts, name, figures.values)
  return (
    <Columns
      side={
        <>
          <Section title={t('help.related')}>
            <ArticleList names={ARTICLES[name]} texts={texts} />
          </Section>
          <ContactRow />
          <OtherPages />
        </>
      }
    >
      <article className="flex max-w-prose flex-col gap-4">
        <p className="px-1 text-16">{lead}</p>
        <Card className="flex flex-col gap-5">
          {parts.map((part) => (
            <section key={part.title} className="flex flex-col gap-1">
              <h2 className="text-16 font-semibold">{part.title}</h2>
              <p className="text-14 text-muted">{part.text}</p>
            </section>
          ))}
        </Card>
        <p className="px-1 text-12 text-muted">
          {figures.keptAt === null
            ? t('help.figuresNow')
            : t('common.figuresOf', { time: formatSince(figures.keptAt) })}
        </p>
      </article>
    </Columns>
  )
}
