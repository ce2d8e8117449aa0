import type { Refusal } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { configQuery, PageLink, refusalStore, useSession, useTranslation } from '../../lib/index.ts'
import { Card, Columns, ContactRow, ListSkeleton, Loaded, Notice, Page, Section } from '../../ui/index.ts'
import { OtherPages } from './other-pages.tsx'

/**
 * Explains that the operator may not serve the visitor, the reason, the remaining options, and the contact.
 */
export default function RefusedPage() {
  const { t } = useTranslation()
  const config = useQuery(configQuery)
  const latestRefusal = useStore(refusalStore)
  return (
    <Page wide title={t('refused.title')}>
      <Columns side={<OtherPages />}>
        <Loaded query={config} skeleton={<ListSkeleton rows={3} />}>
          {({ refused }) => <Refused refusal={latestRefusal ?? refused} />}
        </Loaded>
      </Columns>
    </Page>
  )
}

/** Returns the refusal in words; null for a wallet without further information. */
function Refused({ refusal }: { refusal: Refusal | null }) {
  const { t } = useTranslation()
  const { token } = useSession()
  return (
    <>
      <Notice tone="warn">
        {refusal?.by === 'country' ? t('refused.country', { country: refusal.value }) : t('refused.wallet')}
        {refusal !== null && <> {t('refused.reason', { reason: refusal.reason })}</>}
      </Notice>
      <Section title={t('refused.open')}>
        <Card className="flex flex-col gap-2 text-14 text-muted">
          <p>{t('refused.kept')}</p>
          <p>{t(refusal?.level === 'no_service' ? 'refused.noService' : 'refused.mayLeave')}</p>
          {refusal?.level !== 'no_service' && (
            <PageLink
              to={token === '' ? '/pages/login/index' : '/pages/withdrawal/list'}
              className="inline-flex min-h-11 items-center self-start font-medium text-accent"
            >
              {t(token === '' ? 'login.sign' : 'areas.withdrawals')}
            </PageLink>
          )}
        </Card>
      </Section>
      <Section title={t('refused.ask')}>
        <p className="px-1 text-14 text-muted">{t('refused.askText')}</p>
        <ContactRow />
      </Section>
    </>
  )
}
