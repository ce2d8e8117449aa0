import type { ReactNode } from 'react'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Card, EmptyState, Section } from '../../../ui/index.ts'

interface QueueSectionProps<T> {
  title: string
  about: string
  none: string
  queue: { items: readonly T[]; waiting: number }
  keyOf: (item: T) => string
  render: (item: T) => ReactNode
}

/** One of the queues: how many wait, what they are, and the oldest of them. */
export function QueueSection<T>({ title, about, none, queue, keyOf, render }: QueueSectionProps<T>) {
  const { t } = useTranslation()
  const { items, waiting } = queue
  return (
    <Section title={title} aside={<span className="tabular-nums">{formatCount(waiting)}</span>}>
      <p className="px-1 text-14 text-muted">{about}</p>
      {items.length === 0 ? (
        <Card>
          <EmptyState icon="check" title={none} hint={t('admin.noneHint')} />
        </Card>
      ) : (
        <ul aria-label={title} className="flex flex-col gap-3">
          {items.map((item) => (
            <li key={keyOf(item)}>
              <Card className="flex flex-col gap-3 lg:flex-row lg:items-start lg:gap-6">{render(item)}</Card>
            </li>
          ))}
        </ul>
      )}
      {waiting > items.length && (
        <p className="px-1 text-12 text-muted">
          {t('admin.orders.oldest', { count: items.length, waiting: formatCount(waiting) })}
        </p>
      )}
    </Section>
  )
}
