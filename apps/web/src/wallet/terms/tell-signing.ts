import { ApiError, showModal, TransportError, t } from '../../lib/index.ts'
import { FlowError, walletErrorText } from '../provider.ts'

/**
 * Explains why the sign-in message was not signed or not accepted. Errors of the API have been shown already.
 */
export async function tellSigning(error: unknown) {
  if (error instanceof ApiError || error instanceof TransportError) return
  // The member gave up waiting, and knows it.
  if (error instanceof FlowError && error.problem === 'givenUp') return
  if (error instanceof Error && error.name === 'OldTerms') {
    if (await showModal({ content: t('consent.old'), confirmText: t('common.reload') }))
      window.location.reload()
    return
  }
  const content =
    error instanceof Error && error.name === 'WrongTerms'
      ? t('consent.wrong')
      : error instanceof Error && error.name === 'SiteMismatch'
        ? t('login.wrongSite', { expected: (error as Error & { expected: string }).expected })
        : walletErrorText(error)
  await showModal({ content, confirmText: t('common.ok'), showCancel: false })
}
