import type { ConversionQuote } from '@rif/api-schema'
import { useState } from 'react'

/** A quote and when it ends by this device's clock, as an ISO time. */
export interface Offer {
  readonly quote: ConversionQuote
  readonly until: string
}

/** The part of a mutation that is used here. */
interface Call<Input, Data> {
  mutate(input: Input, options: { onSuccess: (data: Data) => void }): void
  readonly isPending: boolean
}

interface FrozenQuoteOptions<Input> {
  /** The mutation that requests the quote. */
  ask: Call<Input, ConversionQuote>
  /** The mutation that executes what was quoted. */
  take: Call<{ body: { quote_id: string } }, unknown>
  onTaken: () => void
}

/** Requests a quote that holds for a short time, and executes it as quoted: exchange and hash power. Rules, section 11. */
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
      take.mutate({ body: { quote_id: offer.quote.quote_id } }, { onSuccess })
    },
    isTaking: take.isPending,
  }
}

/** Returns when an offer that is valid for `validMs` from now ends, by this device's clock, as an ISO time. */
export const endOf = (validMs: number): string => new Date(Date.now() + validMs).toISOString()
