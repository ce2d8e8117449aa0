import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { ErrorState, Notice, Page, Skeleton } from '../../../ui/index.ts'
import { FIRST_DEPTH } from '../tree/tree-model.ts'
import { TreePanel } from '../tree/tree-panel.tsx'

/** Shows the binary tree of the member's team. */
export default function InviteTreePage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery({
    ...apiQuery('tree', { query: { depth: FIRST_DEPTH } }),
    // The tree grows from here by branches; reading its beginning anew would only close them.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Page title={t('tree.title')}>
      {data !== undefined ? (
        <>
          <TreePanel own={data} />
          <Notice>{t('tree.note')}</Notice>
        </>
      ) : isError ? (
        <ErrorState onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-[70dvh] rounded-12" />
      )}
    </Page>
  )
}
