import { useSearch } from '@tanstack/react-router'
import { PageLink, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, buttonClass, Card, Notice, Page } from '../../../ui/index.ts'

/**
 * Unsubscribes from mails with the link in one. Nothing happens before the tap, because mail scanners open
 * links too.
 */
export default function StopNoticesPage() {
  const { t } = useTranslation()
  const { token } = useSearch({ from: '/pages/my/stopNotices' })
  const stop = useApiMutation('stopNotices')
  const stopped = stop.data?.stopped
  return (
    <Page wide title={t('notices.stop.title')}>
      <div className="mx-auto flex w-full max-w-md flex-col gap-4">
        {stopped === undefined ? (
          <Card className="flex flex-col gap-4">
            <p>{t(stop.isError ? 'notices.stop.over' : 'notices.stop.text')}</p>
            {!stop.isError && (
              <Button block busy={stop.isPending} onClick={() => stop.mutate({ body: { token } })}>
                {t('notices.stop.button')}
              </Button>
            )}
          </Card>
        ) : (
          <Notice tone="good">
            {stopped === 'all'
              ? t('notices.stop.all')
              : t('notices.stop.kind', { kind: t(`notices.kind.${stopped}`) })}
          </Notice>
        )}
        <PageLink to="/" className={buttonClass('secondary', true)}>
          {t('notices.stop.open')}
        </PageLink>
      </div>
    </Page>
  )
}
