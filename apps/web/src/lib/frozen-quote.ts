import type { ConversionQuote } from '@rif/api-schema'
import { useState } from 'react'

/** A quote and its end by this device's clock, as an ISO time. */
export interface Offer {
  readonly quote: ConversionQuote
  readonly until: string
}

/** The used part of a mutation. */
interface Call<Input, Data> {
  mutate(input: Input, options: { onSuccess: (data: Data) => void }): void
  readonly isPending: boolean
}

interface FrozenQuoteOptions<Input> {
  /** The mutation that requests the quote. */
  ask: Call<Input, ConversionQuote>
  /** The mutation that executes the quote. */
  take: Call<ConversionQuote, unknown>
  onTaken: () => void
}

/** Requests a short-lived quote and executes it unchanged: exchange and hash power. Rules, section 11. */
export function useFrozenQuote<Input>({ ask, take, onTaken }: FrozenQuoteOptions<Input>) {
  const [offer, setOffer] = useState<Offer | null>(null)
  return {
    getQuote: (input: Input) =>
      ask.mutate(input, { onSuccess: (quote) => setOffer({ quote, until: endOf(quote.valid_ms) }) }),
    isAsking: ask.isPending,
    offer,
    close: () => setOffer(null),
    confirm() {
      if (offer === null) return
      const onSuccess = () => {
        setOffer(null)
        onTaken()
      }
      take.mutate(offer.quote, { onSuccess })
    },
    isTaking: take.isPending,
  }
}

/**
 * Returns the end of an offer that is valid for `validMs` from now, by this device's clock, as an ISO time.
 */
export const endOf = (validMs: number): string => new Date(Date.now() + validMs).toISOString()
