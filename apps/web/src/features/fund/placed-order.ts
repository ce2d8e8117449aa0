let placed: string | null = null

/**
 * Remembers the order that was just placed by a confirmation on this page, because its payment starts at
 * once.
 */
export function rememberPlaced(orderId: string): void {
  placed = orderId
}

/**
 * Reports, only once, whether an order was just placed, so that a reload or another visit does not open the
 * wallet.
 */
export function takePlaced(orderId: string): boolean {
  const isPlaced = placed === orderId
  placed = null
  return isPlaced
}
