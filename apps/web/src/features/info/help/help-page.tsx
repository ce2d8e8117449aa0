import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import {
  ARTICLES,
  type Article,
  articleOf,
  makeHelpIndex,
  TERMS,
  type TermName,
  type Texts,
  termOf,
  useHelpTexts,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  Columns,
  ContactRow,
  EmptyState,
  LinkRow,
  ListSkeleton,
  Loaded,
  Page,
  Section,
  TextField,
} from '../../../ui/index.ts'
import { OtherPages } from '../other-pages.tsx'
import { useHelpFigures } from './use-help-figures.ts'

/** All articles with a search over them and the glossary; beside them the other pages. */
export default function HelpPage() {
  const { t } = useTranslation()
  const help = useHelpTexts('help')
  const terms = useHelpTexts('terms')
  const { q = '' } = useSearch({ from: '/pages/my/help' })
  const [typed, setTyped] = useState(q)
  return (
    <Page wide title={t('info.help.title')}>
      <Columns
        side={
          <>
            <OtherPages name="help" />
            <ContactRow />
          </>
        }
      >
        <TextField
          type="search"
          label={t('help.search')}
          hint={t('help.searchHint')}
          maxLength={60}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Loaded query={help} skeleton={<ListSkeleton rows={8} joined />}>
          {(articles) => (
            <Loaded query={terms} skeleton={<ListSkeleton rows={8} joined />}>
              {(glossary) =>
                typed.trim() === '' ? (
                  <Everything articles={articles} glossary={glossary} />
                ) : (
                  <Hits typed={typed} onReset={() => setTyped('')} articles={articles} glossary={glossary} />
                )
              }
            </Loaded>
          )}
        </Loaded>
      </Columns>
    </Page>
  )
}

interface BothTexts {
  articles: Texts
  glossary: Texts
}

function Everything({ articles, glossary }: BothTexts) {
  const { t } = useTranslation()
  return (
    <>
      <Section title={t('help.questions')}>
        <ArticleList names={Object.keys(ARTICLES) as Article[]} texts={articles} />
      </Section>
      <Section title={t('help.glossary')}>
        <TermList names={Object.keys(TERMS) as TermName[]} texts={glossary} />
      </Section>
    </>
  )
}

function Hits({ typed, onReset, articles, glossary }: BothTexts & { typed: string; onReset: () => void }) {
  const { t } = useTranslation()
  const figures = useHelpFigures()
  const wanted = useDeferredValue(typed)
  const index = useQuery({
    queryKey: ['help-index', articles['stuck.title']],
    queryFn: () => makeHelpIndex(articles, glossary, figures?.values ?? {}),
    staleTime: Infinity,
  })
  return (
    <Loaded query={index} skeleton={<ListSkeleton rows={4} joined />}>
      {({ find }) => {
        const hits = find(wanted)
        const names = hits.flatMap((hit) => (hit.kind === 'article' ? [hit.name] : []))
        const words = hits.flatMap((hit) => (hit.kind === 'term' ? [hit.name] : []))
        return (
          <div role="status" className="flex flex-col gap-4">
            {hits.length === 0 && (
              <EmptyState
                icon="help"
                title={t('help.nothing')}
                hint={t('help.nothingHint')}
                action={
                  <Button variant="secondary" onClick={onReset}>
                    {t('help.all')}
                  </Button>
                }
              />
            )}
            {names.length > 0 && <ArticleList names={names} texts={articles} />}
            {words.length > 0 && (
              <Section title={t('help.glossary')}>
                <TermList names={words} texts={glossary} />
              </Section>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

/** Links to articles, one a line. */
export function ArticleList({ names, texts }: { names: readonly Article[]; texts: Texts }) {
  return (
    <Card className="divide-y divide-line py-1">
      {names.map((name) => (
        <LinkRow key={name} to="/pages/help/article" search={{ name }} title={articleOf(texts, name).title} />
      ))}
    </Card>
  )
}

function TermList({ names, texts }: { names: readonly TermName[]; texts: Texts }) {
  return (
    <Card>
      <dl className="flex flex-col gap-4">
        {names.map((name) => (
          <div key={name}>
            <dt className="text-16 font-medium">{termOf(texts, name).name}</dt>
            <dd className="max-w-prose text-14 text-muted">{termOf(texts, name).text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
