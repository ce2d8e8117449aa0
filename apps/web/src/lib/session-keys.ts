/** What is kept of a session, by its names in local storage. Specification sections 3 and 4. */
export const SESSION_KEYS = {
  token: 'token',
  tokenAddress: 'token_address',
  walletId: 'wallet_id',
  invite: 'invite_node',
  noMember: 'no_member',
}
