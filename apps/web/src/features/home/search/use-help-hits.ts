import { useQuery } from '@tanstack/react-query'
import { type HelpHit, makeHelpIndex, useHelpTexts } from '../../../lib/index.ts'

const SHOWN = 4

/** The articles and terms of the help that a text finds; undefined while the help is read. Works without a connection. */
export function useHelpHits(text: string): readonly HelpHit[] | undefined {
  const help = useHelpTexts('help').data
  const terms = useHelpTexts('terms').data
  const index = useQuery({
    queryKey: ['help-words', help?.['stuck.title']],
    // Figures do not matter to a search for words.
    queryFn: () => makeHelpIndex(help ?? {}, terms ?? {}, {}),
    enabled: help !== undefined && terms !== undefined,
    networkMode: 'always',
    staleTime: Infinity,
  }).data
  return text === '' ? [] : index?.find(text).slice(0, SHOWN)
}
