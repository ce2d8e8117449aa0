const ID_BITS = 64n
const ID_LIMIT = 2n ** 63n

/**
 * The id of an order or a withdrawal in the bank contract: `(memberId << 64) | id`, so that an event says which
 * member's shard it belongs to. Both parts are positive 63-bit database ids; anything else is a RangeError.
 */
export function packOnChainId(memberId: bigint, id: bigint): bigint {
  if (!isDatabaseId(memberId) || !isDatabaseId(id)) throw new RangeError('not a database id')
  return (memberId << ID_BITS) | id
}

/** The reverse of `packOnChainId`. A RangeError for an id that this system cannot have given out. */
export function unpackOnChainId(onChainId: bigint): { memberId: bigint; id: bigint } {
  const memberId = onChainId >> ID_BITS
  const id = BigInt.asUintN(Number(ID_BITS), onChainId)
  if (!isDatabaseId(memberId) || !isDatabaseId(id)) throw new RangeError(`foreign on-chain id ${onChainId}`)
  return { memberId, id }
}

function isDatabaseId(value: bigint): boolean {
  return value > 0n && value < ID_LIMIT
}
