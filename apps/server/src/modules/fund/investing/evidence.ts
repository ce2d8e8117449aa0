import { createHash } from 'node:crypto'
import type { Db } from '../../../db/database.ts'
import * as products from '../products/products.repository.ts'

/** A document as submitted by an admin. */
export interface DocumentDraft {
  readonly title: string
  readonly mediaType: string
  readonly content: Buffer
}

/** The evidence that an investment exists and has its value. */
export interface Evidence {
  /** Where the investments are held. */
  readonly heldAt: string
  /** Null only in a simulation. */
  readonly document: DocumentDraft | null
}

/** Stores a document of a product and returns its number and its SHA-256. The product is locked. */
export async function storeDocument(
  dbTx: Db,
  productId: bigint,
  { title, mediaType, content }: DocumentDraft,
  purpose: 'terms' | 'evidence',
): Promise<{ document_id: number; document_hash: string }> {
  const hash = hashOf(content)
  const document_id = await products.nextDocumentId(dbTx, productId)
  const document = { product_id: productId, title, media_type: mediaType, hash, content, purpose }
  await products.insertDocument(dbTx, document, document_id)
  return { document_id, document_hash: hash }
}

/** Returns the SHA-256 of a document, 0x and lower case. */
export function hashOf(content: Buffer): string {
  return `0x${createHash('sha256').update(content).digest('hex')}`
}

/** Stores the document of an evidence; nothing in a simulation. */
export async function storeEvidence(
  dbTx: Db,
  productId: bigint,
  { document }: Evidence,
): Promise<{ document_id: number | null; document_hash: string | null }> {
  if (document === null) return { document_id: null, document_hash: null }
  return storeDocument(dbTx, productId, document, 'evidence')
}
