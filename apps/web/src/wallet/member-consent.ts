import type { AppConfig, RouteData, RouteInput, RouteName } from '@rif/api-schema'
import { type MemberWish, memberStatement } from '@rif/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call, sessionStore, showModal, TransportError, t, useAppConfig } from '../lib/index.ts'
import { FlowError, problemText, walletProblem } from './provider.ts'
import { signTypedStatement } from './typed-data.ts'

/** The calls that need the signature of the member's wallet, always or above a limit. */
type SignedRoute = 'withdraw' | 'transfer' | 'saveContact' | 'removeContact' | 'setSavedOnly'
type BodyOf<N extends SignedRoute> = Omit<RouteInput<N>['body'], 'signed'>

/** What the refusal SIGNATURE_REQUIRED says. */
interface Required {
  nonce: string
  deadline: number
  fee?: string
}

/**
 * Signed requests that had no answer. The same wish sends the very same request again, so that it takes effect once; a new
 * signature would make it another request.
 */
const unanswered = new Map<string, object>()

/**
 * Sends a request of the member. When the server requires the wallet's signature, has the wallet sign the wish, which is made
 * of what the page shows, and sends the request once more. Throws what the wallet throws, `FlowError`, or `ApiError`.
 */
export async function sendSigned<N extends SignedRoute>(
  config: AppConfig,
  name: N,
  { body, wish }: { body: BodyOf<N>; wish: MemberWish },
): Promise<RouteData<N>> {
  const id = `${name} ${JSON.stringify(body)}`
  const send = async (signed: object) => {
    unanswered.set(id, signed)
    try {
      const answer = await call(name, { body: signed })
      unanswered.delete(id)
      return answer
    } catch (error) {
      if (error instanceof ApiError) unanswered.delete(id)
      throw error
    }
  }
  const before = unanswered.get(id)
  if (before !== undefined) return send(before)
  try {
    return await call(name, { body }, { expected: 'SIGNATURE_REQUIRED' })
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'SIGNATURE_REQUIRED') throw error
    const { nonce, deadline, fee } = error.details as unknown as Required
    if (wish.kind === 'withdrawal' && fee !== wish.fee)
      throw new FlowError('mismatch', t('wallet.changedFee'))
    const wallet = sessionStore.getState().tokenAddress.toLowerCase()
    const statement = memberStatement(
      wish,
      { wallet, nonce, deadline },
      { chainId: config.chain.id, bank: config.contracts.bank },
    )
    const signature = await signTypedStatement(config, statement)
    return send({ ...body, signed: { nonce, deadline, signature, ...(fee !== undefined && { fee }) } })
  }
}

/** A mutation over a call that may need the wallet's signature. After success the queries of `refresh` are fetched anew. */
export function useSignedMutation<N extends SignedRoute>(
  name: N,
  { refresh }: { refresh: readonly RouteName[] },
) {
  const config = useAppConfig()
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: (request: { body: BodyOf<N>; wish: MemberWish }) => sendSigned(config!, name, request),
    onSuccess: () => Promise.all(refresh.map((query) => client.invalidateQueries({ queryKey: [query] }))),
    onError: (error) => {
      // The API client has shown its own.
      if (error instanceof ApiError || error instanceof TransportError) return
      const content =
        error instanceof FlowError
          ? problemText(error.problem, error.message)
          : problemText(walletProblem(error))
      void showModal({ content, confirmText: t('common.ok'), showCancel: false })
    },
  })
  return {
    isPending: mutation.isPending,
    isReady: config !== undefined,
    /** Sends the request; `onSuccess` gets the answer. */
    send: (request: { body: BodyOf<N>; wish: MemberWish }, onSuccess: (data: RouteData<N>) => void) =>
      mutation.mutate(request, { onSuccess }),
  }
}
