/** One end of the channel between two processes of the product, such as `process` and a child process. */
interface Channel {
  send?(message: Message, sent: (error: Error | null) => void): unknown
  on(event: 'message', take: (message: Message) => void): unknown
  on(event: 'disconnect', take: () => void): unknown
}

type Message =
  | { readonly is: 'question'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly is: 'answer'; readonly id: number; readonly value?: unknown; readonly refusal?: string }

interface Waiting {
  resolve(value: unknown): void
  reject(reason: Error): void
}

/** The functions with which a process answers requests of the other one. */
export type Answers = Readonly<Record<string, (input: never) => Promise<unknown>>>

/** Thrown for a request that the other process refused, with its reason. */
export class Refused extends Error {}

export interface Link {
  /** Sends a request to the other process. Throws Refused, or an error if it has ended. */
  ask<Value>(name: string, input?: unknown): Promise<Value>
}

/**
 * Opens the channel to another process of the product. `reasonOf` returns the text of an error for the other
 * process.
 */
export function openLink(
  channel: Channel,
  answers: Answers,
  reasonOf: (error: unknown) => string = String,
): Link {
  const waiting = new Map<number, Waiting>()
  let lastId = 0

  const end = () => {
    for (const { reject } of waiting.values()) reject(new Error('the other process has ended'))
    waiting.clear()
  }
  const send = (message: Message, failed: () => void) =>
    channel.send?.(message, (error) => {
      if (error) failed()
    })

  async function answer({ id, name, input }: Extract<Message, { is: 'question' }>): Promise<void> {
    const reply = await Promise.resolve(input as never)
      .then((given) => answers[name]!(given))
      .then(
        (value) => ({ is: 'answer', id, value }) as const,
        (error: unknown) => ({ is: 'answer', id, refusal: reasonOf(error) }) as const,
      )
    // A process that has ended needs no answer.
    send(reply, () => undefined)
  }

  channel.on('message', (message) => {
    if (message.is === 'question') {
      void answer(message)
      return
    }
    const asker = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.refusal === undefined) asker?.resolve(message.value)
    else asker?.reject(new Refused(message.refusal))
  })
  channel.on('disconnect', end)

  return {
    ask<Value>(name: string, input?: unknown) {
      return new Promise<Value>((resolve, reject) => {
        lastId++
        waiting.set(lastId, { resolve: resolve as Waiting['resolve'], reject })
        send({ is: 'question', id: lastId, name, input }, end)
      })
    },
  }
}
