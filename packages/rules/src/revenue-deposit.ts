type Hex = `0x${string}`

/** The bytes of the label of a deposit of revenue in the bank contract. */
export const REVENUE_LABEL_BYTES = 32

/** Returns a text in UTF-8 as hexadecimal digits; null for one with half of a surrogate pair, which has no such form. */
function utf8Of(text: string): string | null {
  try {
    return encodeURIComponent(text).replace(/%([0-9A-F]{2})|[^%]/g, (character, byte: string | undefined) =>
      (byte ?? character.charCodeAt(0).toString(16)).toLowerCase(),
    )
  } catch {
    return null
  }
}

/** Reports whether a text can be the label of a deposit: not blank, and at most 32 bytes in UTF-8. */
export function isRevenueLabel(text: string): boolean {
  const bytes = utf8Of(text)
  return bytes !== null && text.trim() !== '' && bytes.length <= 2 * REVENUE_LABEL_BYTES
}

/** Returns a label as the contract stores it, padded with zero bytes at its end. Throws RangeError for what is no label. */
export function revenueLabel(text: string): Hex {
  if (!isRevenueLabel(text)) throw new RangeError(`a label has 1 to ${REVENUE_LABEL_BYTES} bytes`)
  return `0x${utf8Of(text)!.padEnd(2 * REVENUE_LABEL_BYTES, '0')}`
}

/** A deposit of revenue; the amount in base units of the token, the hash that of the paper (SHA-256). */
export interface RevenueDeposit {
  readonly bank: Hex
  readonly token: Hex
  readonly units: bigint
  readonly label: string
  readonly documentHash: Hex
}

/**
 * Returns the two calls that pay revenue into the bank: the approval of exactly the amount at the token, and the deposit. Throws as
 * `revenueLabel`.
 */
export function revenueDepositCalls({ bank, token, units, label, documentHash }: RevenueDeposit) {
  return {
    approve: { to: token, functionName: 'approve', args: [bank, units] },
    deposit: {
      to: bank,
      functionName: 'depositRevenue',
      args: [revenueLabel(label), token, units, documentHash],
    },
  } as const
}
