import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { Columns, ListSkeleton, Loaded, Notice, Page, Section, Skeleton } from '../../../ui/index.ts'
import { ContactCard, OtherBrowsers } from '../components/contact-cards.tsx'
import { KindCards } from '../components/kinds-card.tsx'

/** The destinations and kinds of notices outside the app. */
export default function NoticesPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('notices'))
  return (
    <Page wide title={t('notices.title')}>
      <Loaded query={query} skeleton={<NoticesSkeleton />}>
        {(settings) => {
          const others = settings.push.browsers.filter(({ current }) => !current)
          return (
            <Columns
              side={
                <>
                  {others.length > 0 && (
                    <Section title={t('notices.others')}>
                      <OtherBrowsers browsers={others} />
                    </Section>
                  )}
                  <Notice>{t('notices.promise')}</Notice>
                </>
              }
            >
              <div className="flex flex-col gap-2">
                <ContactCard settings={settings} />
                <p className="px-1 text-12 text-muted">{t('notices.hint')}</p>
              </div>
              <KindCards kinds={settings.kinds} />
            </Columns>
          )
        }}
      </Loaded>
    </Page>
  )
}

function NoticesSkeleton() {
  return (
    <Columns side={<Skeleton className="h-28 rounded-16" />}>
      <Skeleton className="h-40 rounded-16" />
      <ListSkeleton rows={2} joined />
      <ListSkeleton rows={5} joined />
    </Columns>
  )
}
