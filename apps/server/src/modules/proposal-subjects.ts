/** The subjects of proposals: two open proposals of one kind never share a subject. */

/** The subject of a proposal about a payment in `suspense`. */
export const paymentSubject = (txHash: string, logIndex: number) =>
  `payment/${txHash.toLowerCase()}/${logIndex}`

/** The subject of a proposal about the price of an asset by a feed or an oracle. */
export const outsidePriceSubject = ({
  source,
  name,
  asset,
}: {
  source: string
  name: string
  asset: string
}) => `price/${asset}/${source}/${name}`

/** The subject of a proposal about an event that cannot be applied. */
export const eventSubject = ({ block_hash, log_index }: { block_hash: string; log_index: number }) =>
  `event/${block_hash.toLowerCase()}/${log_index}`

export const depositSubject = (depositId: string) => `deposit/${depositId}`

export const fundProductSubject = (productId: bigint | string) => `fund/${productId}`

/** The subject of a valuation or a divestment: one of a product waits at a time. */
export const valuationSubject = (productId: bigint | string) => `fund/${productId}/valuation`

export const redemptionSubject = (memberId: bigint | string, redemptionId: bigint | string) =>
  `member/${memberId}/redemption/${redemptionId}`

/** The subject of a proposal about one withdrawal. */
export const withdrawalSubject = (memberId: bigint | string, withdrawalId: bigint | string) =>
  `member/${memberId}/withdrawal/${withdrawalId}`

/** The subject of a proposal about one transfer. */
export const transferSubject = (memberId: bigint | string, transferId: bigint | string) =>
  `member/${memberId}/transfer/${transferId}`

/** The first part of the subject of a proposal about several transfers. */
export const SEVERAL_TRANSFERS = 'transfers/'

/** The first part of the subject of a proposal about several withdrawals. */
export const SEVERAL_WITHDRAWALS = 'withdrawals/'
