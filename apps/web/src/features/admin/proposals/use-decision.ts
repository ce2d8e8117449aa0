import type { Proposal } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, showModal, showToast, TransportError, t, useAppConfig } from '../../../lib/index.ts'
import { FlowError, problemText, walletProblem } from '../../../wallet/provider.ts'

/** Signs and sends a decision; answers the proposal as it is then, or null when nothing came of it, which was shown. */
export function useDecision() {
  const config = useAppConfig()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const decide = async (proposal: Proposal, approve: boolean, reason: string): Promise<Proposal | null> => {
    if (config === undefined) return null
    setBusy(true)
    try {
      // viem comes along with it, and only now.
      const { signDecision } = await import('../../../wallet/admin-calls.ts')
      const decided = await signDecision(config, proposal, { approve, reason })
      showToast(t(`admin.state.${decided.state}`), { tone: 'good' })
      return decided
    } catch (error) {
      // The API client has shown its own.
      if (error instanceof ApiError || error instanceof TransportError) return null
      const content = problemText(error instanceof FlowError ? error.problem : walletProblem(error))
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
      return null
    } finally {
      setBusy(false)
      await client.invalidateQueries()
    }
  }
  return { decide, busy, ready: config !== undefined }
}
