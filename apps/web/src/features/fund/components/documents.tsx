import type { FundProductDetail } from '@rif/api-schema'
import { useState } from 'react'
import { call, fileOf, formatCount, saveFile, showToast, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card } from '../../../ui/index.ts'

const KILO = 1024

/** The papers of a product, each with its hash: a file whose bytes differ from it is not saved. */
export function Documents({ product }: { product: FundProductDetail }) {
  const { t } = useTranslation()
  return (
    <Card>
      <ul className="flex flex-col divide-y divide-line">
        {product.documents.map((paper) => (
          <li key={paper.document_id} className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
            <div className="flex items-center justify-between gap-3">
              <span className="min-w-0 break-words text-16">{paper.title}</span>
              <SavePaper productId={product.product_id} paper={paper} />
            </div>
            <span className="text-12 text-muted">
              {t('fund.document.size', { size: formatCount(Math.ceil(paper.bytes / KILO)) })}
            </span>
            <span className="flex items-center gap-2 text-12 text-muted">
              SHA-256 <Address value={paper.hash} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface SavePaperProps {
  productId: string
  paper: FundProductDetail['documents'][number]
}

function SavePaper({ productId, paper }: SavePaperProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const params = { product_id: productId, document_id: paper.document_id }
      const file = await call('fundDocument', { params })
      const content = await fileOf({ ...file, hash: paper.hash })
      if (content === null) return showToast(t('fund.document.differs'), { tone: 'bad' })
      saveFile(content, file.filename)
    } catch {
      // The API client has shown it.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="secondary"
      busy={busy}
      aria-label={t('fund.document.saveNamed', { title: paper.title })}
      onClick={() => void save()}
    >
      {t('fund.document.save')}
    </Button>
  )
}
