import { TransactionNotFoundError, TransactionReceiptNotFoundError } from 'viem'

/** The answer of a node, or null when it does not know the transaction; any other failure is thrown on. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError)
      return null
    throw error
  }
}
