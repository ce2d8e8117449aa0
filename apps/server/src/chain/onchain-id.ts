const ID_BITS = 64n
const ID_LIMIT = 2n ** 63n
/** Set in the ids of fund orders, which are numbered separately: no shop order reaches it. */
const FUND_BIT = 2n ** 62n

/**
 * Returns the id of an order or a withdrawal in the bank contract: `(memberId << 64) | id`, so that an event
 * identifies its member's shard. Both parts are positive 63-bit database ids; otherwise throws a RangeError.
 */
export function packOnChainId(memberId: bigint, id: bigint): bigint {
  if (!isDatabaseId(memberId) || !isDatabaseId(id)) throw new RangeError('not a database id')
  return (memberId << ID_BITS) | id
}

/** Reverses `packOnChainId`. Throws a RangeError for an id that this system cannot have issued. */
export function unpackOnChainId(onChainId: bigint): { memberId: bigint; id: bigint } {
  const memberId = onChainId >> ID_BITS
  const id = BigInt.asUintN(Number(ID_BITS), onChainId)
  if (!isDatabaseId(memberId) || !isDatabaseId(id)) throw new RangeError(`foreign on-chain id ${onChainId}`)
  return { memberId, id }
}

/** Returns the id of a fund order in the bank contract; never that of a shop order. */
export function packFundOrderId(memberId: bigint, orderId: bigint): bigint {
  if (orderId >= FUND_BIT) throw new RangeError('not a database id')
  return packOnChainId(memberId, FUND_BIT | orderId)
}

/** Reverses `packFundOrderId`; null for an id of another kind. */
export function unpackFundOrderId(onChainId: bigint): { memberId: bigint; id: bigint } | null {
  const memberId = onChainId >> ID_BITS
  const packed = BigInt.asUintN(Number(ID_BITS), onChainId)
  const id = packed - FUND_BIT
  return isDatabaseId(memberId) && isDatabaseId(packed) && isDatabaseId(id) ? { memberId, id } : null
}

/**
 * Returns the product's number of a deposit: `(bank << 64) | number`, because every bank numbers its deposits
 * from 1. The deposits of the first bank keep their numbers. Throws a RangeError for a number that no
 * contract reaches.
 */
export function packDepositId(bank: number, number: bigint): bigint {
  if (!isDatabaseId(number)) throw new RangeError('not a number of a deposit')
  return (BigInt(bank) << ID_BITS) | number
}

function isDatabaseId(value: bigint): boolean {
  return value > 0n && value < ID_LIMIT
}
