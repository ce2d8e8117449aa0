import type { PlacementSide, RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/clipboard.ts'
import { formatCount } from '../../../lib/format.ts'
import { apiQuery } from '../../../lib/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Fact, Facts } from '../../../ui/card.tsx'
import { Page } from '../../../ui/page.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx'

const SIDES: readonly PlacementSide[] = ['auto', 'left', 'right']

/** How do I invite, and where will they stand. */
export default function InvitePage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('invite'))
  return (
    <Page title={t('invite.title')}>
      {data !== undefined ? (
        <Invitation invite={data} />
      ) : isError ? (
        <ErrorState onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-96 rounded-12" />
      )}
      <Notice>{t('invite.note')}</Notice>
    </Page>
  )
}

function Invitation({ invite }: { invite: RouteData<'invite'> }) {
  const { t } = useTranslation()
  const [side, setSide] = useState<PlacementSide>('auto')
  const link = invite.links[side]
  return (
    <>
      <Segmented
        label={t('login.side')}
        options={SIDES.map((value) => ({ value, label: t(`side.${value}`) }))}
        value={side}
        onChange={setSide}
      />
      <p className="px-1 text-14 text-muted">{t(`invite.side_${side}`)}</p>
      <Card className="flex flex-col items-center gap-4">
        <QrCode text={link} label={t('invite.qr')} />
        <p className="break-all text-center text-14">{link}</p>
        <div className="flex w-full gap-3">
          <Button block variant="secondary" icon="copy" onClick={() => void copyText(link)}>
            {t('invite.copyLink')}
          </Button>
          {'share' in navigator && (
            <Button block icon="share" onClick={() => void share(link, t('common.appTitle'))}>
              {t('invite.share')}
            </Button>
          )}
        </div>
      </Card>
      <Card>
        <Facts>
          <Fact label={t('login.code')}>
            <button
              type="button"
              className="font-semibold text-accent"
              onClick={() => void copyText(invite.invite_code)}
            >
              {invite.invite_code}
            </button>
          </Fact>
          <Fact label={t('my.invited')}>
            {t('my.counts', {
              all: formatCount(invite.invited_count_all),
              valid: formatCount(invite.invited_count_valid),
            })}
          </Fact>
        </Facts>
      </Card>
    </>
  )
}

async function share(url: string, title: string) {
  try {
    await navigator.share({ title, url })
  } catch (error) {
    // Closing the share sheet is no failure; where sharing is not allowed, the link is copied instead.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyText(url)
  }
}
