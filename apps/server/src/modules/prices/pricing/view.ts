import type { PriceSource } from '@rif/api-schema'
import type { PublishedPrice } from './pricing.repository.ts'

/** Returns the source of a price for the API. */
export const sourceView = ({
  source: kind,
  sourceName: name,
  observedAt,
  approvedBy,
}: Pick<PublishedPrice, 'source' | 'sourceName' | 'observedAt' | 'approvedBy'>): PriceSource => ({
  kind,
  name,
  observed_at: observedAt?.toISOString() ?? null,
  approved: approvedBy !== null,
})
