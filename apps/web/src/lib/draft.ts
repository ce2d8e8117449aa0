import { useState } from 'react'
import { DRAFTS_KEY, sessionStore } from './session.ts'
import { perTab } from './storage.ts'

/**
 * What a member has typed into a form and not sent yet. It outlasts a reload and a new sign-in of the same address after a
 * 401; disconnecting forgets it.
 */
interface Kept {
  owner: string
  drafts: Record<string, unknown>
}

function read(): Kept {
  const owner = sessionStore.get().tokenAddress
  try {
    const kept: Partial<Kept> = JSON.parse(perTab.get(DRAFTS_KEY) ?? 'null') ?? {}
    return kept.owner === owner && kept.drafts !== undefined
      ? { owner, drafts: kept.drafts }
      : { owner, drafts: {} }
  } catch {
    return { owner, drafts: {} }
  }
}

function write(name: string, draft: object | null) {
  const { owner, drafts } = read()
  const others = Object.entries(drafts).filter(([one]) => one !== name)
  const left = draft === null ? others : [...others, [name, draft] as const]
  perTab.set(
    DRAFTS_KEY,
    left.length === 0 ? null : JSON.stringify({ owner, drafts: Object.fromEntries(left) }),
  )
}

/** The kept draft where it has the form's own fields, each of its kind; what is missing or odd is `initial`'s. */
function restore<T extends object>(name: string, initial: T): T {
  const kept = read().drafts[name]
  if (typeof kept !== 'object' || kept === null) return initial
  const fields = Object.entries(kept).filter(
    ([field, value]) => field in initial && typeof value === typeof initial[field as keyof T],
  )
  return { ...initial, ...Object.fromEntries(fields) }
}

/**
 * The state of a form's fields that is kept while it is not sent. `clear` is for when it was: what stands on the screen
 * stays, and the next visit begins with `initial`. `given` wins over what was kept: what a link brought along. `T` is
 * flat, of texts, numbers and flags.
 */
export function useDraft<T extends object>(name: string, initial: T, given: Partial<T> = {}) {
  const [draft, setDraft] = useState(() => ({ ...restore(name, initial), ...given }))
  const change = (next: T) => {
    setDraft(next)
    write(name, next)
  }
  return { draft, change, clear: () => write(name, null) }
}
