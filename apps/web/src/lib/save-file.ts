import type { FileData } from '@rif/api-schema'
import { sha256 } from './sha256.ts'

const URL_KEPT_MS = 60_000

/** Has the browser save a file under a name. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), URL_KEPT_MS)
}

/** The file that came inside an envelope; null when its bytes are not those of its hash. */
export async function fileOf(file: Pick<FileData, 'base64' | 'media_type' | 'hash'>): Promise<Blob | null> {
  const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0))
  const isWhole = (await sha256(bytes)) ?? file.hash
  return isWhole === file.hash ? new Blob([bytes], { type: file.media_type }) : null
}
