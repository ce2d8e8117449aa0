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

interface FrozenQuoteOptions<Problem, Input> {
  judged: { ok: true; amount: string } | { ok: false; problem: Problem }
  /** What asks for the quote, and the question for an amount that was judged good. */
  ask: Call<Input, ConversionQuote>
  inputOf: (amount: string) => Input
  /** What does what was quoted. */
  take: Call<{ body: { quote_id: string } }, unknown>
  onTaken: () => void
}

/** An amount that is judged, quoted for a short time, and then taken as quoted: exchange and hash power. Rules, section 11. */
export function useFrozenQuote<Problem, Input>({
  judged,
  ask,
  inputOf,
  take,
  onTaken,
}: FrozenQuoteOptions<Problem, Input>) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [offer, setOffer] = useState<Offer | null>(null)

  function getQuote() {
    setProblem(judged.ok ? null : judged.problem)
    if (!judged.ok) return
    ask.mutate(inputOf(judged.amount), {
      onSuccess: (quote) => setOffer({ quote, until: endOf(quote.valid_ms) }),
    })
  }

  function confirm() {
    if (offer === null) return
    take.mutate(
      { body: { quote_id: offer.quote.quote_id } },
      {
        onSuccess: () => {
          setOffer(null)
          onTaken()
        },
      },
    )
  }

  return {
    /** What was wrong when it was last tried to go on. */
    problem,
    forgetProblem: () => setProblem(null),
    getQuote,
    isAsking: ask.isPending,
    offer,
    close: () => setOffer(null),
    confirm,
    isTaking: take.isPending,
  }
}

/** When an offer that holds for so long from now on ends, by this device's clock. */
export const endOf = (validMs: number): string => new Date(Date.now() + validMs).toISOString()
