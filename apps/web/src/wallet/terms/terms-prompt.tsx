import { isOfWording } from '@rif/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { call, showToast, useAppConfig, useSession, useTranslation } from '../../lib/index.ts'
import { Button, Icon } from '../../ui/index.ts'
import { isKeptAccepted, keepAccepted } from './accepted.ts'
import { tellSigning } from './tell-signing.ts'

const TermsSheet = lazy(() => import('./terms-sheet.tsx'))

/**
 * Prompts once at the start of the app for a new text of terms and risks, in sessions that are older than
 * it. The page below keeps typed input. A member who postpones it, or has another sheet open, is prompted at
 * the next start. A member who declined at sign-in is not prompted again, but sees why only withdrawals are
 * available.
 */
export default function TermsPrompt() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const client = useQueryClient()
  const { tokenAddress: address } = useSession()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const terms = useQuery({
    queryKey: ['terms', address],
    queryFn: ({ signal }) => call('terms', {}, { signal, quiet: true }),
    enabled: config !== undefined && address !== '' && !isKeptAccepted(address, config.terms.version),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  useEffect(() => {
    // An app that is older than the server shows other words: the update bar comes first.
    if (terms === undefined || !isOfWording(terms.version)) return
    if (terms.items[0]?.version === terms.version) keepAccepted(address, terms.version)
    else if (!terms.leaves_only) setOpen(document.querySelector('[role=dialog]') === null)
  }, [terms, address])

  const accept = async () => {
    if (config === undefined || terms === undefined) return
    setBusy(true)
    try {
      const { acceptTerms } = await import('../sign-in.ts')
      client.setQueryData(['terms', address], await acceptTerms(config, address, terms))
      setOpen(false)
      showToast(t('consent.accepted'), { tone: 'good' })
    } catch (error) {
      await tellSigning(error)
    }
    setBusy(false)
  }
  return (
    <>
      {terms?.leaves_only === true && (
        <div role="status" className="bg-warn-soft">
          <div className="column flex items-center gap-3 px-4 py-2 text-14">
            <Icon name="warn" size={20} className="text-warn" />
            <span className="min-w-0 flex-1">{t('consent.leaving')}</span>
            <Button onClick={() => setOpen(true)}>{t('consent.read')}</Button>
          </div>
        </div>
      )}
      <Suspense>
        {open && terms !== undefined && (
          <TermsSheet
            terms={terms}
            accepted={terms.items[0]?.version ?? null}
            busy={busy}
            onAccept={() => void accept()}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
