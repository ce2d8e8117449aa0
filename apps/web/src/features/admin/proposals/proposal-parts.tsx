import type { Proposal, ProposalState } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  ApiError,
  readConfig,
  showModal,
  showToast,
  type Translate,
  TransportError,
  t,
  useTranslation,
} from '../../../lib/index.ts'
import { Address, Notice, type Tone } from '../../../ui/index.ts'
import type { StatementHashes } from '../../../wallet/admin-calls.ts'
import { walletErrorText } from '../../../wallet/provider.ts'

export const STATE_TONES: Readonly<Record<ProposalState, Tone>> = {
  Open: 'warn',
  Approved: 'info',
  Applied: 'good',
  Refused: 'bad',
  Withdrawn: 'neutral',
  Expired: 'neutral',
  Failed: 'bad',
}

/** The delays between approval and effect, in minutes. */
export const DELAYS = ['0', '60', '1440', '4320'] as const

/** Returns the text of a delay; a delay that no page offers is shown in minutes. */
export function delayText(t: Translate, minutes: number): string {
  const offeredDelay = DELAYS.find((delay) => delay === `${minutes}`)
  return offeredDelay === undefined
    ? t('admin.minutes', { count: minutes })
    : t(`admin.delayOf.${offeredDelay}`)
}

/** The hashes of the statement, to compare with the display of a hardware wallet. */
export function HashesView({ hashes }: { hashes: StatementHashes }) {
  const { t } = useTranslation()
  return (
    <Notice tone="info" title={t('admin.hashes.title')}>
      <p>{t('admin.hashes.text')}</p>
      <dl className="mt-2 flex flex-col gap-2">
        {(['domain', 'message', 'digest'] as const).map((name) => (
          <div key={name}>
            <dt className="text-12 text-muted">{t(`admin.hashes.${name}`)}</dt>
            <dd>
              <Address value={hashes[name]} form="full" copy={false} className="font-mono text-12" />
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  )
}

/** Signs and sends a decision. Returns the decided proposal, or null after a failure, which was shown. */
export function useDecision() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [hashes, setHashes] = useState<StatementHashes | null>(null)
  const decide = async (proposal: Proposal, approve: boolean, reason: string): Promise<Proposal | null> => {
    setBusy(true)
    try {
      // Loads viem too, so only now.
      const { signDecision } = await import('../../../wallet/admin-calls.ts')
      const decided = await signDecision(await readConfig(client), proposal, {
        approve,
        reason,
        onSign: setHashes,
      })
      showToast(t(decided.state === 'Open' ? 'admin.approvedByYou' : `admin.state.${decided.state}`), {
        tone: 'good',
      })
      return decided
    } catch (error) {
      // The API client has shown its own errors.
      if (error instanceof ApiError || error instanceof TransportError) return null
      const content = walletErrorText(error)
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
      return null
    } finally {
      setBusy(false)
      setHashes(null)
      await client.invalidateQueries()
    }
  }
  return { decide, busy, hashes }
}
