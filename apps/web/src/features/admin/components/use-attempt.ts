import { useState } from 'react'

/** A form as it was read: what would be proposed, or what is wrong with it, by field. */
export type Reading<Payload, Field extends string, Problem extends string> =
  | { ok: true; payload: Payload }
  | { ok: false; problems: Readonly<Partial<Record<Field, Problem>>> }

/** Tells what is wrong with a form from the first attempt to send it on; `words` has the text of a problem. */
export function useAttempt<Payload, Field extends string, Problem extends string>(
  read: Reading<Payload, Field, Problem>,
  words: (problem: Problem) => string,
) {
  const [isTried, setTried] = useState(false)
  return {
    errorOf(field: Field): string | undefined {
      const problem = isTried && !read.ok ? read.problems[field] : undefined
      return problem && words(problem)
    },
    attempt(send: (payload: Payload) => void): void {
      setTried(true)
      if (read.ok) send(read.payload)
    },
  }
}
