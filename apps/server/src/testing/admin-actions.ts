import type { Proposal, ProposalContent, ProposalKind } from '@rif/api-schema'
import { type AdminRole, decisionStatement } from '@rif/rules'
import type { LocalAccount } from 'viem'
import { giveRole } from './roles.ts'
import {
  type Answer,
  call,
  exchange,
  messageOf,
  newWallet,
  type SignedIn,
  type TestServer,
} from './test-server.ts'

/** A signed-in admin. */
export interface TestAdmin extends SignedIn {
  readonly wallet: LocalAccount
}

/** Gives a new wallet a role, as a new person unless one is named, and signs it in without an invitation. */
export async function newAdmin(
  server: TestServer,
  role: AdminRole,
  person: string = `${role} ${Math.random()}`,
  wallet: LocalAccount = newWallet(),
): Promise<TestAdmin> {
  const { services } = server
  await giveRole(services, { address: wallet.address, role, person })
  const { data: terms } = await call(server, `nonce?address=${wallet.address}`)
  const message = messageOf(terms, wallet.address, { issuedAt: services.now() })
  const signature = await wallet.signMessage({ message })
  const data = await exchange(server, { message, signature })
  return { wallet, token: data.token, address: wallet.address, memberId: BigInt(data.member_id ?? 0) }
}

/** Prepares a proposal and expects success. */
export async function prepare(
  server: TestServer,
  as: SignedIn,
  kind: ProposalKind,
  payload: object,
  more: object = {},
): Promise<Proposal> {
  const answer = await tryPrepare(server, as, kind, payload, more)
  if (answer.status !== 200) throw new Error(`${kind}: ${JSON.stringify(answer.data)}`)
  return answer.data
}

export function tryPrepare(
  server: TestServer,
  as: SignedIn,
  kind: ProposalKind,
  payload: object,
  more: object = {},
): Promise<Answer> {
  return call(server, 'admin/proposals', { as, payload: { kind, payload, reason: 'as tested', ...more } })
}

/** Requests a statement about a proposal and signs it, as the app does. */
export async function sign(
  server: TestServer,
  by: TestAdmin,
  proposal: Proposal,
  { approve = true, reason = '' } = {},
): Promise<Answer & { signed: { nonce: string; signature: string } }> {
  const path = `admin/proposals/${proposal.proposal_id}/statement`
  const answer = await call(server, path, { as: by, payload: { approve, reason } })
  if (answer.status !== 200) return { ...answer, signed: { nonce: '', signature: '' } }
  const { summary } = JSON.parse(proposal.content) as ProposalContent
  const { kind, subject, digest, proposal_id: proposalId } = proposal
  const { nonce, deadline } = answer.data
  const { chainId, contracts } = server.services.chain
  const statement = decisionStatement(
    { proposalId, kind, subject, digest, summary, approve, reason, nonce, deadline },
    { chainId, bank: contracts.bank },
  )
  return { ...answer, signed: { nonce, signature: await by.wallet.signTypedData(statement) } }
}

/** Signs a statement and decides. */
export async function decide(
  server: TestServer,
  by: TestAdmin,
  proposal: Proposal,
  how: { approve?: boolean; reason?: string } = {},
): Promise<Answer> {
  const statement = await sign(server, by, proposal, how)
  if (statement.status !== 200) return statement
  return call(server, `admin/proposals/${proposal.proposal_id}/decide`, { as: by, payload: statement.signed })
}

/** Returns the number of logged refusals of a call. */
export async function attempts(server: TestServer, callName: string, error: string): Promise<number> {
  const { services, database } = server
  const { items } = await services.adminLog.list(database.db, { action: 'attempt.refused', limit: 1000 })
  return items.filter(
    ({ subject, after }) => subject === `call/${callName}` && (after as { error: string }).error === error,
  ).length
}
