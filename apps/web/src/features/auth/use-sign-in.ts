import type { AppConfig } from '@rif/api-schema'
import type { TermsVersion } from '@rif/rules'
import { useRef, useState } from 'react'
import { type InviteNode, useSession } from '../../lib/index.ts'
import { connectWallet, disconnectWallet, type WalletChoice } from '../../wallet/connection.ts'
import { tellSigning } from '../../wallet/terms/tell-signing.ts'

/**
 * idle; connect: the wallet shows its accounts; check: the server returns a nonce; sign: the wallet signs;
 * invite: a code is missing; terms: a member has not accepted the version in force.
 */
export type SignInStage = 'idle' | 'connect' | 'check' | 'sign' | 'invite' | 'terms'

/** A text to accept or decline, and the version that the wallet accepted before; null for none. */
interface AskedTerms {
  readonly inForce: TermsVersion
  readonly accepted: string | null
}

/** The answer to the terms in force. After declining, a session can only withdraw. */
type TermsAnswer = 'accept' | 'decline'

export interface SignIn {
  stage: SignInStage
  /** The connected wallet's address, or null. */
  address: string | null
  /** Connects the wallet of the sheet and signs in with it; a new wallet needs the invitation. */
  connect: (choice: WalletChoice, invite: InviteNode | null) => Promise<void>
  /** Signs in with the wallet that is connected already; `answer`: to the text in force, after it was shown. */
  resume: (invite: InviteNode | null, answer?: TermsAnswer) => Promise<void>
  /** The text of terms and risks to show, and the version that the wallet accepted before; null in other stages. */
  terms: AskedTerms | null
  /** Leaves the stage of the terms. */
  cancelTerms: () => void
  /** Leaves the wallet, whatever it was asked; its late answer is ignored. */
  leave: () => void
}

/** Runs sign-in, step by step. On success the guard leads home; errors are shown and lead back to idle. */
export function useSignIn(config: AppConfig | undefined): SignIn {
  const [stage, setStage] = useState<SignInStage>('idle')
  const [terms, setTerms] = useState<AskedTerms | null>(null)
  const address = useSession().wallet?.address ?? null

  const latest = useRef(0)

  // An attempt that another one has followed changes nothing any more.
  const guarded = async (work: (config: AppConfig, isLatest: () => boolean) => Promise<SignInStage>) => {
    if (config === undefined) return
    const attempt = ++latest.current
    const isLatest = () => attempt === latest.current
    try {
      const reached = await work(config, isLatest)
      if (isLatest()) setStage(reached)
    } catch (error) {
      if (!isLatest()) return
      setStage('idle')
      await tellSigning(error)
    }
  }
  const authenticate = async (
    appConfig: AppConfig,
    account: string,
    invite: InviteNode | null,
    { answer, isLatest }: { answer: TermsAnswer | null; isLatest: () => boolean },
  ): Promise<SignInStage> => {
    setStage('check')
    // Loads viem too, so only now.
    const { requestNonce, signIn, signInTermsOf } = await import('../../wallet/sign-in.ts')
    const nonce = await requestNonce(account)
    if (!isLatest()) return 'idle'
    if (!nonce.registered && invite === null) return 'invite'
    const inForce = signInTermsOf(nonce, window.location)
    // By its signed message, a new wallet accepts the terms that the page links to. An answer is to the text that was shown.
    const isAnswered = answer !== null && terms?.inForce.sha256 === inForce.sha256
    if (nonce.registered && nonce.terms_accepted !== inForce.version && !isAnswered) {
      setTerms({ inForce, accepted: nonce.terms_accepted })
      return 'terms'
    }
    setStage('sign')
    await signIn(appConfig, account, nonce, {
      invite: nonce.registered ? null : invite,
      declines: answer === 'decline',
    })
    return 'idle'
  }
  return {
    stage,
    address,
    terms,
    cancelTerms: () => setStage('idle'),
    leave: () => {
      latest.current++
      setStage('idle')
      disconnectWallet()
    },
    connect: (choice, invite) =>
      guarded(async (appConfig, isLatest) => {
        setStage('connect')
        const account = await connectWallet(choice, appConfig)
        return isLatest() ? authenticate(appConfig, account, invite, { answer: null, isLatest }) : 'idle'
      }),
    resume: (invite, answer) =>
      guarded(async (appConfig, isLatest) =>
        address === null
          ? 'idle'
          : authenticate(appConfig, address, invite, { answer: answer ?? null, isLatest }),
      ),
  }
}
