import type { FundProductDetail } from '@rif/api-schema'
import { useState } from 'react'
import { formatCount, saveFundDocument, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Icon } from '../../../ui/index.ts'

const KILO = 1024

/** Saves a document of a product after checking its bytes against the shown hash. */
function useSavedPaper(productId: string) {
  const [busy, setBusy] = useState(false)
  const save = async (document: { document_id: string; hash: string }) => {
    setBusy(true)
    await saveFundDocument(productId, document)
    setBusy(false)
  }
  return { busy, save }
}

interface PaperLinkProps {
  product: Pick<FundProductDetail, 'product_id'>
  evidence: { document_id: string; hash: string }
}

/** The document behind a value, by its hash; a file whose bytes differ from it is not saved. */
export function PaperLink({ product, evidence }: PaperLinkProps) {
  const { t } = useTranslation()
  const { busy, save } = useSavedPaper(product.product_id)
  return (
    <button
      type="button"
      disabled={busy}
      title={evidence.hash}
      className="-my-2 inline-flex min-h-11 items-center gap-1.5 self-start text-12 font-medium text-accent"
      onClick={() => void save(evidence)}
    >
      <Icon name="doc" size={16} />
      {t('fund.books.evidence', { hash: shortAddress(evidence.hash) })}
    </button>
  )
}

/** The documents of a product, each with its hash. */
export function Papers({ product }: { product: FundProductDetail }) {
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
  const { busy, save } = useSavedPaper(productId)
  return (
    <Button
      variant="secondary"
      busy={busy}
      aria-label={t('fund.document.saveNamed', { title: paper.title })}
      onClick={() => void save(paper)}
    >
      {t('fund.document.save')}
    </Button>
  )
}
