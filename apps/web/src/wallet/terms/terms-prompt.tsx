import { currentTerms } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { call, showToast, t, useAppConfig, useSession } from '../../lib/index.ts'
import { isKeptAccepted, keepAccepted } from './accepted.ts'
import { tellSigning } from './tell-signing.ts'

const TermsSheet = lazy(() => import('./terms-sheet.tsx'))

/**
 * Asks once at the start of the app for a new version of terms and risks, in sessions that are older than it. The page
 * below keeps what was typed. Whoever puts it off, or is in another sheet just then, is asked at the next start.
 */
export default function TermsPrompt() {
  const config = useAppConfig()
  const { tokenAddress: address } = useSession()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const terms = useQuery({
    queryKey: ['terms', address],
    queryFn: ({ signal }) => call('terms', {}, { signal, quiet: true }),
    enabled: address !== '' && !isKeptAccepted(address),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  useEffect(() => {
    // An app that is older than the server shows other terms: the update bar comes first.
    if (terms === undefined || terms.version !== currentTerms().version) return
    if (terms.items[0]?.version === terms.version) keepAccepted(address)
    else setOpen(document.querySelector('[role=dialog]') === null)
  }, [terms, address])

  const accept = async () => {
    if (config === undefined) return
    setBusy(true)
    try {
      const { acceptTerms } = await import('../sign-in.ts')
      await acceptTerms(config, address)
      setOpen(false)
      showToast(t('consent.accepted'), { tone: 'good' })
    } catch (error) {
      await tellSigning(error)
    }
    setBusy(false)
  }
  return (
    <Suspense>
      {open && (
        <TermsSheet
          accepted={terms?.items[0]?.version ?? null}
          busy={busy}
          onAccept={() => void accept()}
          onClose={() => setOpen(false)}
        />
      )}
    </Suspense>
  )
}
