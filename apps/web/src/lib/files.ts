import type { FileData } from '@rif/api-schema'
import { type CsvName, call, loadCsv } from './api.ts'
import { t } from './i18n.ts'
import { showToast } from './overlays.ts'

const URL_KEPT_MS = 60_000

/** Makes the browser save a file under a name. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), URL_KEPT_MS)
}

/** Returns the file from an envelope; null if its bytes do not match its hash. */
export async function fileOf(file: Pick<FileData, 'base64' | 'media_type' | 'hash'>): Promise<Blob | null> {
  const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0))
  const isWhole = (await sha256(bytes)) ?? file.hash
  return isWhole === file.hash ? new Blob([bytes], { type: file.media_type }) : null
}

/**
 * Saves a document of a fund product after checking its bytes against the hash shown. The API client shows
 * why a document did not arrive.
 */
export async function saveFundDocument(
  productId: string,
  { document_id, hash }: { document_id: string; hash: string },
): Promise<void> {
  const params = { product_id: productId, document_id }
  const file = await call('fundDocument', { params }).catch(() => null)
  if (file === null) return
  const content = await fileOf({ ...file, hash })
  if (content === null) showToast(t('fund.document.differs'), { tone: 'bad' })
  else saveFile(content, file.filename)
}

export function base64Of(bytes: ArrayBuffer): string {
  let text = ''
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte)
  return btoa(text)
}

/**
 * Saves a whole list, with its current filters, as a file with today's date in its name. Throws errors that
 * the API client has shown.
 */
export async function saveList(name: CsvName, query: object, kind: 'csv' | 'jsonl' = 'csv'): Promise<void> {
  saveFile(await loadCsv(name, query, kind), `${name}-${new Date().toISOString().slice(0, 10)}.${kind}`)
}

/**
 * Returns the SHA-256 of bytes, 0x and 64 digits; null if the browser offers no hashing: on plain http
 * outside localhost.
 */
export async function sha256(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `0x${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
