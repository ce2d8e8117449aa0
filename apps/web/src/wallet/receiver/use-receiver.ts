import type { Receiver } from '@rif/api-schema'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-errors.ts'

/** What is known of a typed address, while it is typed. */
export type ReceiverState =
  | { is: 'empty' | 'incomplete' | 'checking' | 'invalid' | 'unreachable' }
  | { is: 'known'; receiver: Receiver }

const FORM = /^0x[0-9a-fA-F]{40}$/

/** The address that a QR code or the clipboard holds: `ethereum:0x...@42161?value=1`, or bare. Null when there is none. */
export function findAddress(text: string): string | null {
  return /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/.exec(text)?.[0] ?? null
}

/** As `findAddress`; without one, the text as it is, to be told what is wrong with it. */
export const addressIn = (text: string): string => findAddress(text) ?? text.trim()

const receiverQuery = (address: string) =>
  queryOptions({
    queryKey: ['receiver', address],
    // Said beside the field, so not in a toast.
    queryFn: ({ signal }): Promise<Receiver> =>
      call('receiver', { query: { address } }, { signal, quiet: true }),
  })

/** Asks, as one types, whose address it is; only a whole address is asked about. */
export function useReceiver(typed: string): ReceiverState {
  const text = typed.trim()
  const address = useDeferredValue(text)
  const query = useQuery({ ...receiverQuery(address), enabled: FORM.test(address) })
  if (text === '') return { is: 'empty' }
  if (!FORM.test(text))
    return { is: text.length < 42 && /^(0?|0x[0-9a-fA-F]*)$/.test(text) ? 'incomplete' : 'invalid' }
  if (address !== text || query.isPending) return { is: 'checking' }
  if (query.data !== undefined) return { is: 'known', receiver: query.data }
  const isRefused = query.error instanceof ApiError && query.error.error === 'INVALID_ADDRESS'
  return { is: isRefused ? 'invalid' : 'unreachable' }
}
