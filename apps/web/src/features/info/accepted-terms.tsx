import { termsPath } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatTime, useTranslation } from '../../lib/index.ts'
import { Card, ListSkeleton, Loaded, Section } from '../../ui/index.ts'

/** The versions of terms and risks that the caller accepted, with the time and the signed message of each. */
export function AcceptedTerms() {
  const { t } = useTranslation()
  const terms = useQuery(apiQuery('terms'))
  return (
    <Section title={t('consent.yours')}>
      <Loaded query={terms} skeleton={<ListSkeleton rows={1} />}>
        {({ items }) => (
          <Card className="divide-y divide-line py-1">
            {items.length === 0 && <p className="py-3 text-14 text-muted">{t('consent.none')}</p>}
            {items.map(({ version, accepted_at, message }) => (
              <details key={version} className="py-1 text-14">
                <summary className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-3">
                  <span className="font-medium">{t('consent.version', { version })}</span>
                  <span className="text-muted">{formatTime(accepted_at)}</span>
                </summary>
                <a
                  href={termsPath(version)}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex min-h-11 items-center font-medium text-accent"
                >
                  {t('consent.english', { version })}
                </a>
                <p className="pb-1 text-muted">{t('consent.signed')}</p>
                <pre className="mb-2 whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 font-mono text-12">
                  {message}
                </pre>
              </details>
            ))}
          </Card>
        )}
      </Loaded>
    </Section>
  )
}
