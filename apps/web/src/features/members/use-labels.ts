import type { MemberLabel } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery } from '../../lib/index.ts'

const NONE: readonly MemberLabel[] = []

/** The member's own labels and pins, by member; pins first. */
export function useLabels(): ReadonlyMap<string, MemberLabel> {
  const items = useQuery(apiQuery('labels')).data?.items ?? NONE
  return useMemo(() => new Map(items.map((label) => [label.member_id, label])), [items])
}
