import type { AddressName } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { apiQuery, cx, shortAddress, shortestAddress, useTranslation } from '../../lib/index.ts'

type Known = Pick<AddressName, 'name' | 'note'>

const NONE: readonly AddressName[] = []
const UNKNOWN: Known = { name: null, note: null }

/** The names by address, created once for each response, because every row of a list uses them. */
const maps = new WeakMap<readonly AddressName[], ReadonlyMap<string, Known>>()

function mapOf(items: readonly AddressName[]): ReadonlyMap<string, Known> {
  const map = maps.get(items) ?? new Map(items.map((item) => [item.address.toLowerCase(), item]))
  maps.set(items, map)
  return map
}

/**
 * Returns a function that returns the member's name for an address and the note about it; null where there is
 * none, or before they are loaded.
 */
export function useNames(): (address: string | null) => Known {
  const items = useQuery(apiQuery('names')).data?.items ?? NONE
  return useCallback(
    (address) => (address === null ? UNKNOWN : (mapOf(items).get(address.toLowerCase()) ?? UNKNOWN)),
    [items],
  )
}

/** Returns a function that names an address in running text: the member's name for it, and its short form. */
export function useNamed(form: 'short' | 'shortest' = 'short'): (address: string) => string {
  const namesOf = useNames()
  return useCallback(
    (address) => {
      const short = form === 'short' ? shortAddress(address) : shortestAddress(address)
      const { name } = namesOf(address)
      return name === null ? short : `${name} (${short})`
    },
    [namesOf, form],
  )
}

export interface NoteLineProps {
  address: string
  /** Shows the whole note instead of its first line. */
  whole?: boolean
  className?: string
}

/** The member's note about an address; nothing where there is none. */
export function NoteLine({ address, whole = false, className }: NoteLineProps) {
  const { t } = useTranslation()
  const { note } = useNames()(address)
  if (note === null) return null
  return (
    <span
      className={cx('block text-13 text-muted', whole ? 'wrap-anywhere' : 'truncate', className)}
      title={whole ? undefined : note}
    >
      <span className="sr-only">{t('note.label')}: </span>
      {note}
    </span>
  )
}
