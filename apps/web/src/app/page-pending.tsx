import { ListSkeleton, Skeleton } from '../ui/states.tsx'

/** The placeholder while a page's code loads. */
export function PagePending() {
  return (
    <div className="column flex flex-col gap-4 px-4 pt-16">
      <Skeleton className="h-28 rounded-12" />
      <ListSkeleton rows={4} />
    </div>
  )
}
