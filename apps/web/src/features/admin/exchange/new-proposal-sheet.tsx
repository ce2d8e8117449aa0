import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Segmented, Sheet } from '../../../ui/index.ts'
import type { Wanted } from '../proposals/prepare-sheet.tsx'
import { LaunchForm } from './launch-form.tsx'
import { TermsForm } from './terms-form.tsx'

const FORMS = { launch: LaunchForm, exchange_terms: TermsForm } as const
const KINDS = ['launch', 'exchange_terms'] as const

export interface ExchangeFormProps {
  onSubmit: (wanted: Wanted, onDone: () => void) => void
}

/** Asks for what the exchange centre offers: a launch, or on what terms RIF are exchanged. */
export function NewProposalSheet({ onSubmit, onClose }: ExchangeFormProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<keyof typeof FORMS>('launch')
  const Form = FORMS[kind]
  return (
    <Sheet open onClose={onClose} title={t('adminForms.new')}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('adminForms.what')}
          options={KINDS.map((value) => ({ value, label: t(`admin.kind.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        <Form onSubmit={onSubmit} />
      </div>
    </Sheet>
  )
}
