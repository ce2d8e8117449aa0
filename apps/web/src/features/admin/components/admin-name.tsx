import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../lib/index.ts'
import { Address } from '../../../ui/index.ts'

/** Roles change rarely; a name may be this old. */
const STALE_MS = 5 * 60_000

/** An admin's wallet, with the person it belongs to as long as it has a role; what is no wallet stands as it is. */
export function AdminName({ actor }: { actor: string }) {
  const admins = useQuery({ ...apiQuery('adminRoles'), staleTime: STALE_MS }).data?.items
  if (!/^0x[0-9a-f]{40}$/i.test(actor)) return actor
  const person = admins?.find(({ address }) => address.toLowerCase() === actor.toLowerCase())?.person
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2">
      {person !== undefined && <span className="text-ink">{person}</span>}
      <Address value={actor} />
    </span>
  )
}
