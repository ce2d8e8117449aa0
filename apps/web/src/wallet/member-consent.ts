import type { AppConfig, ConversionQuote, RouteData, RouteInput, RouteName } from '@rif/api-schema'
import { type MemberWish, memberStatement } from '@rif/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  ApiError,
  call,
  randomHex,
  readConfig,
  sessionStore,
  showModal,
  TransportError,
  t,
  useAppConfig,
} from '../lib/index.ts'
import { explainConsent } from './explain-consent.ts'
import { FlowError, walletErrorText } from './provider.ts'
import { signTypedStatement } from './typed-data.ts'

/** The calls that need the signature of the member's wallet, always or above a limit. */
type SignedRoute =
  | 'withdraw'
  | 'transfer'
  | 'saveContact'
  | 'removeContact'
  | 'setSavedOnly'
  | 'requestErasure'
  | 'savingsIn'
  | 'savingsStandingSet'
  | 'makeExchange'
  | 'buyHashRate'
  | 'fundBuy'
  | 'subscribeLaunch'
type BodyOf<N extends SignedRoute> = Omit<RouteInput<N>['body'], 'signed'>

/** The details of the refusal SIGNATURE_REQUIRED. */
interface Required {
  nonce: string
  deadline: number
  fee?: string
}

/**
 * Signed requests without a response. The same action sends exactly the same request again, so that it takes
 * effect once; a new signature would make it another request.
 */
const unanswered = new Map<string, object>()

/**
 * A request, the statement that it carries out, and whether it requires a signature as far as the page can
 * tell.
 */
interface SignedRequest<N extends SignedRoute> {
  body: BodyOf<N>
  /** The parameters in the path, if it has any. */
  params?: RouteInput<N>['params']
  wish: MemberWish
  needed: boolean
}

/** Half of the longest validity, so that a smaller difference to the server's clock does no harm. */
const VALIDITY_S = 300

/** Returns a nonce of the client: 32 random bytes. */
function newNonce(): Required {
  return { nonce: `0x${randomHex(32)}`, deadline: Math.floor(Date.now() / 1000) + VALIDITY_S }
}

/**
 * Sends a request of the member, with the wallet's signature where required; the statement is built from the
 * data on the page. When the server requires a signature that the page did not expect, signs it and repeats
 * the request. Throws the wallet's error, `FlowError`, or `ApiError`.
 */
export async function sendSigned<N extends SignedRoute>(
  config: AppConfig,
  name: N,
  { body, params, wish, needed }: SignedRequest<N>,
): Promise<RouteData<N>> {
  const id = `${name} ${JSON.stringify([params, body])}`
  const place = params === undefined ? {} : { params }
  const send = async (signed: object) => {
    unanswered.set(id, signed)
    try {
      const answer = await call(name, { ...place, body: signed })
      unanswered.delete(id)
      return answer
    } catch (error) {
      if (error instanceof ApiError) unanswered.delete(id)
      throw error
    }
  }
  const sign = async ({ nonce, deadline }: Required) => {
    const wallet = sessionStore.getState().tokenAddress.toLowerCase()
    const domain = { chainId: config.chain.id, bank: config.contracts.bank }
    const statement = memberStatement(wish, { wallet, nonce, deadline }, domain)
    await explainConsent(wish)
    const signature = await signTypedStatement(config, statement)
    return { ...body, signed: { nonce, deadline, signature, ...figuresOf(wish) } }
  }
  const before = unanswered.get(id)
  if (before !== undefined) return send(before)
  if (needed) return send(await sign(newNonce()))
  try {
    return await call(name, { ...place, body }, { expected: 'SIGNATURE_REQUIRED' })
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'SIGNATURE_REQUIRED') throw error
    const required = error.details as unknown as Required
    if (wish.kind === 'withdrawal' && required.fee !== wish.fee) {
      throw new FlowError('mismatch', t('wallet.changedFee'))
    }
    return send(await sign(required))
  }
}

/** Returns the signed figures that the server cannot take from the request. */
function figuresOf(wish: MemberWish): Partial<Record<'fee' | 'total', string>> {
  if (wish.kind === 'withdrawal') return { fee: wish.fee }
  return wish.kind === 'fund_purchase' ? { total: wish.total, fee: wish.fee } : {}
}

/**
 * A mutation over a call that may require the wallet's signature. After success the queries of `refresh` are
 * fetched again. The callbacks run before, because the refreshed data may remove the form from the page.
 */
export function useSignedMutation<N extends SignedRoute>(
  name: N,
  { refresh }: { refresh: readonly RouteName[] },
) {
  type Sent = { readonly request: SignedRequest<N>; readonly onSuccess: (data: RouteData<N>) => void }
  const config = useAppConfig()
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ request }: Sent) => sendSigned(await readConfig(client), name, request),
    onSuccess: (data, { onSuccess }) => {
      onSuccess(data)
      return Promise.all(refresh.map((query) => client.invalidateQueries({ queryKey: [query] })))
    },
    onError: (error) => {
      // The API client has already shown its own errors.
      if (error instanceof ApiError || error instanceof TransportError) return
      void showModal({ content: walletErrorText(error), confirmText: t('common.ok'), showCancel: false })
    },
  })
  return {
    isPending: mutation.isPending,
    isReady: config !== undefined,
    /** Sends the request; `onSuccess` receives the response, `onError` the error, which was shown. */
    send: (
      request: SignedRequest<N>,
      onSuccess: (data: RouteData<N>) => void,
      onError?: (error: Error) => void,
    ) => mutation.mutate({ request, onSuccess }, onError && { onError }),
  }
}

/** The execution of a frozen quote, for `useFrozenQuote`; the wallet signs it where the server requires it. */
export function useSignedQuote(
  name: 'makeExchange' | 'buyHashRate',
  options: { refresh: readonly RouteName[] },
) {
  const { send, isPending } = useSignedMutation(name, options)
  return {
    isPending,
    mutate(
      { quote_id, pays, from, receives, to }: ConversionQuote,
      { onSuccess }: { onSuccess: () => void },
    ) {
      const wish = { kind: 'conversion', pays, from, receives, to } as const
      send({ body: { quote_id }, wish, needed: false }, onSuccess)
    },
  }
}
