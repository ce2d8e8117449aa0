import { useState } from 'react'
import { saveFundDocument, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'

interface EvidenceLinkProps {
  productId: string
  evidence: { document_id: string; title: string; hash: string } | null
}

/** The document behind a value, by its title; a file whose bytes differ from its hash is not saved. */
export function EvidenceLink({ productId, evidence }: EvidenceLinkProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  if (evidence === null) return t('admin.desk.noEvidence')
  const save = async () => {
    setBusy(true)
    await saveFundDocument(productId, evidence)
    setBusy(false)
  }
  return (
    <button
      type="button"
      disabled={busy}
      title={evidence.hash}
      className="-my-2 inline-flex min-h-11 min-w-11 items-center gap-1.5 text-left text-accent"
      onClick={() => void save()}
    >
      <Icon name="doc" size={16} />
      <span className="max-w-40 truncate font-medium">{evidence.title}</span>
    </button>
  )
}
