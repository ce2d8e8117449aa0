import { type AdminRole, roleAllows } from '@rif/rules'

/** A wallet that the signer lists, with the name of its person there. */
export interface ListedApprover {
  readonly address: string
  readonly person: string
}

/** A wallet with a role, in lower case, and its person on record. */
interface Role {
  readonly address: string
  readonly role: AdminRole
  readonly person: string
  readonly personId: bigint
}

/**
 * Compares the approvers that the signer counts with the roles, by wallet and by person. Returns one line for each difference: an
 * approver whom it does not list, a wallet that it lists without such a role, and two wallets that are one person for one side and two
 * for the other, so that one alone could approve twice or two count once.
 */
export function approverDifferences(listed: readonly ListedApprover[], admins: readonly Role[]): string[] {
  const approvers = admins.filter(({ role }) => roleAllows(role, 'approver'))
  const roleOf = (wallet: string) => approvers.find(({ address }) => address === wallet.toLowerCase())
  const named = ({ address, person, personId }: Role) => `${address} (${person}, person ${personId})`
  const lacking = approvers.filter(
    ({ address }) => !listed.some((item) => item.address.toLowerCase() === address),
  )
  const more = listed.filter(({ address }) => roleOf(address) === undefined)
  const listedRoles = listed.flatMap(({ address, person }) => {
    const role = roleOf(address)
    return role === undefined ? [] : [{ person, role }]
  })
  const pairs = listedRoles.flatMap((item, index) =>
    listedRoles.slice(index + 1).map((other) => [item, other] as const),
  )
  const grouped = pairs.flatMap(([entry, other]) => {
    const isOneHere = entry.role.personId === other.role.personId
    const isOneThere = entry.person === other.person
    if (isOneHere === isOneThere) return []
    const wallets = `${named(entry.role)} and ${named(other.role)}`
    return [isOneHere ? `two persons for the signer: ${wallets}` : `one person for the signer: ${wallets}`]
  })
  return [
    ...lacking.map((role) => `not listed: ${named(role)}`),
    ...more.map(({ address, person }) => `no role: ${address.toLowerCase()} (${person})`),
    ...grouped,
  ]
}
