import { useState } from 'react'
import type { CsvName } from '../lib/api.ts'
import { useTranslation } from '../lib/i18n.ts'
import { showToast } from '../lib/overlays.ts'
import { saveList } from '../lib/save-list.ts'
import { IconButton, Spinner } from './button.tsx'

export interface CsvButtonProps {
  /** The route of the list. */
  name: CsvName
  /** The filters that stand on the list, so that the file holds what is seen. */
  query: object
}

/** Saves a whole list as a CSV file. Stands in the navigation bar of its page. */
export function CsvButton({ name, query }: CsvButtonProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await saveList(name, query)
      showToast(t('common.csvSaved'), { tone: 'good' })
    } catch {
      // The API client has shown it.
    } finally {
      setBusy(false)
    }
  }
  if (busy) {
    return (
      <span role="status" aria-label={t('common.loading')} className="grid size-11 place-items-center">
        <Spinner />
      </span>
    )
  }
  return <IconButton icon="withdraw" label={t('common.saveCsv')} onClick={() => void save()} />
}
