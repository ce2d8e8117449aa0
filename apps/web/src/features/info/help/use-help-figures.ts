import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { configQuery, kept, usePlan, type Values } from '../../../lib/index.ts'
import { infoFigures } from '../../../wallet/terms/info-figures.ts'

const KEY = 'help_figures'

interface HelpFigures {
  readonly values: Values
  /** The time in ms since 1970 if the figures were stored at an earlier visit; null for present figures. */
  readonly keptAt: number | null
}

/**
 * Returns the figures that the articles name: those in force or, while these are unavailable, those of the
 * last visit, so that articles can be read without a connection. Null when there are none.
 */
export function useHelpFigures(): HelpFigures | null {
  const plan = usePlan().data
  const config = useQuery(configQuery).data
  const values = plan !== undefined && config !== undefined ? infoFigures(plan, config) : null
  const text = values === null ? null : JSON.stringify(values)
  useEffect(() => {
    if (text !== null) kept.set(KEY, JSON.stringify({ at: Date.now(), values: JSON.parse(text) }))
  }, [text])
  return values === null ? readKept() : { values, keptAt: null }
}

function readKept(): HelpFigures | null {
  try {
    const { at, values } = JSON.parse(kept.get(KEY) ?? 'null') as { at: number; values: Values }
    return typeof at === 'number' && typeof values === 'object' ? { values, keptAt: at } : null
  } catch {
    return null
  }
}
