import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { configQuery, usePlan } from '../../lib/index.ts'
import { Card, ListSkeleton, Loaded, Page } from '../../ui/index.ts'
import { type InfoFigures, infoFigures } from './info-figures.ts'

export interface InfoPageProps {
  title: string
  lead: string
  children: (figures: InfoFigures) => ReactNode
}

/** A page of plain words with the figures in force. */
export function InfoPage({ title, lead, children }: InfoPageProps) {
  const plan = usePlan()
  const config = useQuery(configQuery)
  const skeleton = <ListSkeleton rows={4} />
  return (
    <Page title={title}>
      <p className="px-1 text-16 text-muted">{lead}</p>
      <Loaded query={plan} skeleton={skeleton}>
        {(figures) => (
          <Loaded query={config} skeleton={skeleton}>
            {(told) => children(infoFigures(figures, told))}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

/** One matter of such a page. */
export function InfoSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <section className="flex flex-col gap-2">
        <h2 className="text-16 font-semibold">{title}</h2>
        <div className="text-14 text-muted">{children}</div>
      </section>
    </Card>
  )
}
