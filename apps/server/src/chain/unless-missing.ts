import { TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'

/** Returns the node's response, or null if it does not have the transaction. Throws any other error. */
export async function unlessMissing<T>(response: Promise<T>): Promise<T | null> {
  try {
    return await response
  } catch (error) {
    if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError)
      return null
    throw error
  }
}
