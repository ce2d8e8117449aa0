import { useState } from 'react'
import { call, fileOf, saveFile, showToast, useTranslation } from '../../../lib/index.ts'
import { Button } from '../../../ui/index.ts'

const FILES = { pdf: 'fundBillPdf', csv: 'fundBillCsv' } as const
type Kind = keyof typeof FILES

/** A bill as a PDF in the member's language, and as CSV. */
export function BillFiles({ month }: { month: string }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState<Kind | null>(null)
  const save = async (kind: Kind) => {
    setBusy(kind)
    try {
      const file = await call(FILES[kind], { params: { month } })
      const content = await fileOf(file)
      if (content === null) return showToast(t('fund.document.differs'), { tone: 'bad' })
      saveFile(content, file.filename)
      showToast(t('common.csvSaved'), { tone: 'good' })
    } catch {
      // The API client has shown it.
    } finally {
      setBusy(null)
    }
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      {(Object.keys(FILES) as Kind[]).map((kind) => (
        <Button
          key={kind}
          variant="secondary"
          icon="withdraw"
          busy={busy === kind}
          onClick={() => void save(kind)}
        >
          {t(`fund.bills.${kind}`)}
        </Button>
      ))}
    </div>
  )
}
