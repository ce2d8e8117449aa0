const HEADING = /^## .*\[(\w+\.\w+)\]$/

/** Splits a published text into its parts by key, as `terms.payouts`. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  let key: string | undefined
  for (const line of text.split('\n')) {
    key = HEADING.exec(line)?.[1] ?? key
    if (key !== undefined) parts.set(key, `${parts.get(key) ?? ''}${line}\n`)
  }
  return parts
}

/** Returns the keys of the parts of a published text that are new or worded differently than in an earlier one. */
export function changedTerms(before: string, after: string): string[] {
  const old = partsOf(before)
  return [...partsOf(after)].filter(([key, part]) => old.get(key)?.trim() !== part.trim()).map(([key]) => key)
}
