import { termsPath } from '@rif/rules'
import { useAppConfig, useSession, useTranslation } from '../../lib/index.ts'
import { Card, Columns, Page, Section } from '../../ui/index.ts'
import { TERMS_PARTS, type TermsName } from '../../wallet/terms/terms-parts.ts'
import { TermsSections, termsKey } from '../../wallet/terms/terms-sections.tsx'
import { AcceptedTerms } from './accepted-terms.tsx'
import { OtherPages } from './other-pages.tsx'

/** The risks. */
export const RiskPage = () => <InfoPage name="risk" />
/** The terms of use. */
export const TermsPage = () => <InfoPage name="terms" />

/** A page of texts with the figures in force, its table of contents, and links to the other pages. */
function InfoPage({ name }: { name: TermsName }) {
  const { t } = useTranslation()
  const { token } = useSession()
  const version = useAppConfig()?.terms.version
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
        <TermsSections name={name} />
        {version !== undefined && (
          <a
            href={termsPath(version)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center self-start px-1 text-14 font-medium text-accent"
          >
            {t('consent.english', { version })}
          </a>
        )}
        {token !== '' && <AcceptedTerms />}
      </Columns>
    </Page>
  )
}

/** The parts of the page, for a desktop; a phone shows one after the other. */
function Contents({ name }: { name: TermsName }) {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('info.contents')} className="hidden lg:block">
      <Section title={t('info.contents')}>
        <Card className="py-2">
          <ul>
            {TERMS_PARTS[name].map((part) => (
              <li key={part}>
                <a href={`#${part}`} className="flex min-h-11 items-center text-14 font-medium text-accent">
                  {t(termsKey(name, part, 'title'))}
                </a>
              </li>
            ))}
          </ul>
        </Card>
      </Section>
    </nav>
  )
}
