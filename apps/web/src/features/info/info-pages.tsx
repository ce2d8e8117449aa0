import { useQuery } from '@tanstack/react-query'
import { configQuery, type TextKey, usePlan, useTranslation } from '../../lib/index.ts'
import { Card, LinkRow, ListSkeleton, Loaded, Page } from '../../ui/index.ts'
import { type InfoFigures, infoFigures } from './info-figures.ts'

const PARTS = {
  help: ['signIn', 'buy', 'rewards', 'locked', 'withdraw', 'security'],
  risk: ['loss', 'noPromise', 'pools', 'tokens', 'chain', 'scams'],
  terms: ['what', 'packages', 'payments', 'payouts', 'conduct', 'data'],
} as const

/** Answers to the questions that members ask. */
export const HelpPage = () => <InfoPage name="help" />
/** The risks. */
export const RiskPage = () => <InfoPage name="risk" />
/** The terms of use. */
export const TermsPage = () => <InfoPage name="terms" />

/** A page of texts with the figures in force. */
function InfoPage({ name }: { name: keyof typeof PARTS }) {
  const { t } = useTranslation()
  const plan = usePlan()
  const config = useQuery(configQuery)
  const skeleton = <ListSkeleton rows={4} />
  return (
    <Page title={t(`info.${name}.title`)}>
      <p className="px-1 text-16 text-muted">{t(`info.${name}.lead`)}</p>
      <Loaded query={plan} skeleton={skeleton}>
        {(figures) => (
          <Loaded query={config} skeleton={skeleton}>
            {(appConfig) => <InfoSections name={name} figures={infoFigures(figures, appConfig)} />}
          </Loaded>
        )}
      </Loaded>
      <Card className="py-1">
        <LinkRow to="/pages/money-policy" icon="shield" title={t('money.title')} />
      </Card>
    </Page>
  )
}

function InfoSections({ name, figures }: { name: keyof typeof PARTS; figures: InfoFigures }) {
  const { t } = useTranslation()
  // The keys of one page's parts; the type check knows only their union with those of the other pages.
  const text = (part: string, field: 'title' | 'text') => `info.${name}.${part}.${field}` as TextKey
  return PARTS[name].map((part) => (
    <Card key={part}>
      <section className="flex flex-col gap-2">
        <h2 className="text-16 font-semibold">{t(text(part, 'title'))}</h2>
        <div className="text-14 text-muted">{t(text(part, 'text'), { ...figures })}</div>
      </section>
    </Card>
  ))
}
