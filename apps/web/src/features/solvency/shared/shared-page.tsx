import type { Shared } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import {
  ApiError,
  call,
  formatTime,
  loadFile,
  saveFile,
  sha256,
  showToast,
  useTranslation,
} from '../../../lib/index.ts'
import { Button, Card, EmptyState, ListSkeleton, Loaded, Page } from '../../../ui/index.ts'
import { SharedFacts } from '../../../wallet/shares/shared-facts.tsx'

const DOWNLOAD_MS = 10 * 60_000

// The tree and its hashes: only for the link of a proof.
const SharedProof = lazy(() => import('./shared-proof.tsx'))

/**
 * Shows the record of a member's link. The token is behind the `#`, which no browser sends, and is sent to
 * the API in a body.
 */
export default function SharedPage() {
  const { t } = useTranslation()
  const token = useLocation({ select: ({ hash }) => hash })
  const query = useQuery({
    queryKey: ['shared', token],
    queryFn: () => call('shared', { body: { token } }, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: token !== '',
  })
  const isOver = token === '' || (query.error instanceof ApiError && query.error.error === 'SHARE_OVER')
  return (
    <Page wide title={t('shared.title')}>
      <div className="mx-auto flex w-full max-w-xl flex-col gap-4">
        {isOver ? (
          <Card>
            <EmptyState
              icon="clock"
              title={t('shared.over')}
              hint={t('shared.overText')}
              next={{ to: '/pages/solvency', label: t('heldOwed.short') }}
            />
          </Card>
        ) : (
          <Loaded query={query} skeleton={<ListSkeleton rows={4} />}>
            {(data) => <Content data={data} token={token} />}
          </Loaded>
        )}
      </div>
    </Page>
  )
}

function Content({ data, token }: { data: Shared; token: string }) {
  const { t } = useTranslation()
  const { proof, statement } = data
  return (
    <>
      <p className="px-1 text-14 text-muted">
        {t('shared.lead', { time: formatTime(data.expires_at) ?? '' })}
      </p>
      <Card>
        <SharedFacts proof={proof} statement={statement} />
      </Card>
      {proof !== null && (
        <Suspense fallback={<ListSkeleton rows={4} />}>
          <SharedProof proof={proof} />
        </Suspense>
      )}
      {statement?.file && <Download file={statement.file} token={token} />}
      <p className="px-1 text-12 text-muted">{t('shared.readOnly')}</p>
    </>
  )
}

/** Saves the file after comparing its bytes with the hash that the page shows. */
function Download({ file, token }: { file: { filename: string; hash: string }; token: string }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    const content = await loadFile('shared', 'file', { body: { token } }, DOWNLOAD_MS)
    const hash = await sha256(await content.arrayBuffer())
    if (hash !== null && hash !== file.hash) showToast(t('statements.differs'), { tone: 'bad' })
    else saveFile(content, file.filename)
  }
  const download = async () => {
    setBusy(true)
    await save().catch(() => undefined)
    setBusy(false)
  }
  return (
    <Button block icon="download" busy={busy} onClick={() => void download()}>
      {t('shared.download')}
    </Button>
  )
}
