import { useQuery } from '@tanstack/react-query'
import { type HelpHit, makeHelpIndex, useHelpTexts } from '../../../lib/index.ts'

const SHOWN = 4

/**
 * Returns the articles and terms of the help that match a text; undefined while the help loads. Works without
 * a connection.
 */
export function useHelpHits(text: string): readonly HelpHit[] | undefined {
  const help = useHelpTexts('help').data
  const terms = useHelpTexts('terms').data
  const index = useQuery({
    queryKey: ['help-words', help?.['stuck.title']],
    // Figures are irrelevant to a text search.
    queryFn: () => makeHelpIndex(help ?? {}, terms ?? {}, {}),
    enabled: help !== undefined && terms !== undefined,
    networkMode: 'always',
    staleTime: Infinity,
  }).data
  return text === '' ? [] : index?.find(text).slice(0, SHOWN)
}
