import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/index.ts'
import { Button } from '../../../ui/index.ts'

/** The way to the next page of a list that does not grow by itself; nothing at its end. */
export function ShowMore({ query }: { query: UseInfiniteQueryResult }) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {t('adminSearch.showMore')}
    </Button>
  )
}
