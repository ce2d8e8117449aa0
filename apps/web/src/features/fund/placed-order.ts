let placed: string | null = null

/** Remembers the order that a confirmation of this page has just placed: its payment begins at once. */
export function rememberPlaced(orderId: string): void {
  placed = orderId
}

/** Reports, once, whether an order was just placed; a reload or another way to it does not open the wallet. */
export function takePlaced(orderId: string): boolean {
  const isPlaced = placed === orderId
  placed = null
  return isPlaced
}
