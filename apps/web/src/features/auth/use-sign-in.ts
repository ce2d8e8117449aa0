import type { AppConfig } from '@rif/api-schema'
import { useState } from 'react'
import { ApiError, type InviteNode, showModal, TransportError, t, useSession } from '../../lib/index.ts'
import { connectWallet, type WalletChoice } from '../../wallet/connection.ts'
import { FlowError, problemText, walletProblem } from '../../wallet/provider.ts'

/** idle; connect: the wallet shows its accounts; check: the server gives a nonce; sign: the wallet signs; invite: a code is missing. */
export type SignInStage = 'idle' | 'connect' | 'check' | 'sign' | 'invite'

export interface SignIn {
  stage: SignInStage
  /** The connected wallet's address, or null. */
  address: string | null
  /** Connects the wallet of the sheet and signs in with it; a new wallet needs the invitation. */
  connect: (choice: WalletChoice, invite: InviteNode | null) => Promise<void>
  /** Signs in with the wallet that is connected already. */
  resume: (invite: InviteNode | null) => Promise<void>
}

/** Signing in, step by step. When it succeeds the guard leads home; what goes wrong is shown and leads back to idle. */
export function useSignIn(config: AppConfig | undefined): SignIn {
  const [stage, setStage] = useState<SignInStage>('idle')
  const address = useSession().wallet?.address ?? null

  const guarded = async (work: (config: AppConfig) => Promise<SignInStage>) => {
    if (config === undefined) return
    try {
      setStage(await work(config))
    } catch (error) {
      setStage('idle')
      await tell(error)
    }
  }
  const authenticate = async (
    known: AppConfig,
    account: string,
    invite: InviteNode | null,
  ): Promise<SignInStage> => {
    setStage('check')
    // viem comes along with it, and only now.
    const { requestNonce, signIn } = await import('../../wallet/sign-in.ts')
    const nonce = await requestNonce(account)
    if (!nonce.registered && invite === null) return 'invite'
    setStage('sign')
    await signIn(known, account, nonce, nonce.registered ? null : invite)
    return 'idle'
  }
  return {
    stage,
    address,
    connect: (choice, invite) =>
      guarded(async (known) => {
        setStage('connect')
        return authenticate(known, await connectWallet(choice, known), invite)
      }),
    resume: (invite) =>
      guarded(async (known) => (address === null ? 'idle' : authenticate(known, address, invite))),
  }
}

async function tell(error: unknown) {
  // The API client has shown its own.
  if (error instanceof ApiError || error instanceof TransportError) return
  const content =
    error instanceof Error && error.name === 'SiteMismatch'
      ? t('login.wrongSite', { expected: (error as Error & { expected: string }).expected })
      : problemText(error instanceof FlowError ? error.problem : walletProblem(error))
  await showModal({ content, confirmText: t('common.ok'), showCancel: false })
}
