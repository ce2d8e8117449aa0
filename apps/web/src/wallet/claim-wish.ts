/** The withdrawal whose claim was asked for on another page. Kept in memory alone: a reload or a link from outside begins no claim. */
let wished: string | null = null

/** Notes that "Claim" was tapped, so that the page of the withdrawal begins the claim when it opens. */
export function wishClaim(withdrawId: string): void {
  wished = withdrawId
}

/** Reports once whether the claim of this withdrawal was asked for; any other wish is dropped. */
export function takeClaimWish(withdrawId: string): boolean {
  const isWished = wished === withdrawId
  wished = null
  return isWished
}
