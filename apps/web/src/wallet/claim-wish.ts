/**
 * The withdrawal whose claim was requested on another page. Kept only in memory, so that neither a reload nor
 * an external link starts a claim.
 */
let wished: string | null = null

/** Records that "Claim" was tapped, so that the page of the withdrawal starts the claim when it opens. */
export function wishClaim(withdrawId: string): void {
  wished = withdrawId
}

/** Reports, only once, whether the claim of this withdrawal was requested; any other request is dropped. */
export function takeClaimWish(withdrawId: string): boolean {
  const isWished = wished === withdrawId
  wished = null
  return isWished
}
