import { useQuery } from '@tanstack/react-query'
import { configQuery, type TextKey, usePlan, useTranslation } from '../../lib/index.ts'
import { Card, Columns, ListSkeleton, Loaded, Page, Section } from '../../ui/index.ts'
import { type InfoFigures, infoFigures } from './info-figures.ts'
import { OtherPages } from './other-pages.tsx'

const PARTS = {
  risk: ['loss', 'noPromise', 'pools', 'tokens', 'chain', 'scams'],
  terms: ['what', 'packages', 'payments', 'payouts', 'conduct', 'data'],
} as const

type Name = keyof typeof PARTS

/** The risks. */
export const RiskPage = () => <InfoPage name="risk" />
/** The terms of use. */
export const TermsPage = () => <InfoPage name="terms" />

// The keys of one page's parts; the type check knows only their union with those of the other pages.
const keyOf = (name: Name, part: string, field: 'title' | 'text') =>
  `info.${name}.${part}.${field}` as TextKey

/** A page of texts with the figures in force; beside it what it holds, and the other pages. */
function InfoPage({ name }: { name: Name }) {
  const { t } = useTranslation()
  const plan = usePlan()
  const config = useQuery(configQuery)
  const skeleton = <ListSkeleton rows={6} />
  return (
    <Page wide title={t(`info.${name}.title`)}>
      <Columns
        side={
          <>
            <Contents name={name} />
            <OtherPages name={name} />
          </>
        }
      >
        <p className="max-w-prose px-1 text-16 text-muted">{t(`info.${name}.lead`)}</p>
        <Loaded query={plan} skeleton={skeleton}>
          {(figures) => (
            <Loaded query={config} skeleton={skeleton}>
              {(appConfig) => <InfoSections name={name} figures={infoFigures(figures, appConfig)} />}
            </Loaded>
          )}
        </Loaded>
      </Columns>
    </Page>
  )
}

function InfoSections({ name, figures }: { name: Name; figures: InfoFigures }) {
  const { t } = useTranslation()
  return PARTS[name].map((part) => (
    <Card key={part}>
      <section id={part} className="flex scroll-mt-20 flex-col gap-2">
        <h2 className="text-16 font-semibold">{t(keyOf(name, part, 'title'))}</h2>
        <div className="max-w-prose text-14 text-muted">{t(keyOf(name, part, 'text'), { ...figures })}</div>
      </section>
    </Card>
  ))
}

/** The parts of the page, for a desktop: a phone shows one after the other. */
function Contents({ name }: { name: Name }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('info.contents')} className="hidden lg:block">
      <Section title={t('info.contents')}>
        <Card className="py-2">
          <ul>
            {PARTS[name].map((part) => (
              <li key={part}>
                <a href={`#${part}`} className="flex min-h-11 items-center text-14 font-medium text-accent">
                  {t(keyOf(name, part, 'title'))}
                </a>
              </li>
            ))}
          </ul>
        </Card>
      </Section>
    </nav>
  )
}
