import { startMailSink } from '../../apps/server/src/testing/mail-sink.ts'
import { alone, test } from './product.ts'

/** Receives the product's mails while a test works; one test at a time, as the product sends to one address. */
export const withMailSink = (
  work: (sink: Awaited<ReturnType<typeof startMailSink>>) => Promise<void>,
): Promise<void> =>
  alone('mail sink', async () => {
    const { port } = new URL(test.info().project.use.baseURL!)
    const sink = await startMailSink(Number(port) + 1000)
    await work(sink).finally(() => sink.stop())
  })
