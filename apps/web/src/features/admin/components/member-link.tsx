import { PageLink } from '../../../lib/index.ts'
import { Address } from '../../../ui/index.ts'

/** The way to a member, by wallet or by number. */
export function MemberLink({ memberId, address }: { memberId: string; address?: string }) {
  return (
    <PageLink
      to="/pages/admin/search"
      search={{ member_id: memberId }}
      className="touch-line -mx-3 inline-flex min-w-11 items-center px-3 text-accent underline underline-offset-4"
    >
      {address === undefined ? <span>#{memberId}</span> : <Address value={address} copy={false} />}
    </PageLink>
  )
}
