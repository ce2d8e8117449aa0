import { type CsvName, loadCsv } from './api.ts'
import { saveFile } from './save-file.ts'

/** Saves a whole list, with the filters that stand on it, as a file of today's name. Throws what the API client has shown. */
export async function saveList(name: CsvName, query: object, kind: 'csv' | 'jsonl' = 'csv'): Promise<void> {
  saveFile(await loadCsv(name, query, kind), `${name}-${new Date().toISOString().slice(0, 10)}.${kind}`)
}
