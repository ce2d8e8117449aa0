import type { Proposal } from '@rif/api-schema'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { PrepareSheet, type PrepareSheetProps, type Wanted } from './prepare-sheet.tsx'
import { ProposalSheet } from './proposal-sheet.tsx'

interface Options extends Pick<PrepareSheetProps, 'reasonHint'> {
  /** Else the kind's own name. */
  title?: string
  onClose?: () => void
}

type Done = (proposal: Proposal) => void

/** How a page proposes and shows what was proposed: `want` asks for something, `show` opens a proposal, `sheets` stands in the page. */
export function useProposals({ title, onClose, ...options }: Options = {}): {
  want: (wanted: Wanted, onDone?: Done) => void
  show: (proposalId: string) => void
  sheets: ReactNode
} {
  const { t } = useTranslation()
  const [wish, setWish] = useState<{ wanted: Wanted; onDone: Done | undefined } | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const sheets = (
    <>
      {wish !== null && (
        <PrepareSheet
          title={title ?? t(`admin.kind.${wish.wanted.kind}`)}
          wanted={wish.wanted}
          {...options}
          onClose={() => {
            setWish(null)
            onClose?.()
          }}
          {...(wish.onDone && { onDone: wish.onDone })}
        />
      )}
      {shown !== null && <ProposalSheet proposalId={shown} onClose={() => setShown(null)} />}
    </>
  )
  return { want: (wanted, onDone) => setWish({ wanted, onDone }), show: setShown, sheets }
}
