import { modalStore, showModal, t, walletWaitStore } from '../lib/index.ts'
import { FlowError, type WalletProvider } from './provider.ts'

/** The calls for which a wallet opens a window of its own, and which the member may leave without an answer. */
const ASKING: readonly string[] = [
  'eth_requestAccounts',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

/** The time after which the member is asked whether to go on waiting. */
const PATIENCE_MS = 30_000

/** Ends the waiting for each open call. */
const open = new Set<() => void>()

/** Stops waiting for all calls of the wallet: each fails with `givenUp`, and a later answer is ignored. */
export function stopWaiting() {
  for (const end of [...open]) end()
}

/**
 * Returns a wallet whose calls can be given up: at once by the busy button (`ui/button.tsx`), and after half a minute without an
 * answer it says what may be the case, and asks again every half minute.
 */
export function answering(provider: WalletProvider): WalletProvider {
  const { on, removeListener, disconnect } = provider
  return {
    request: (args) => {
      const answer = provider.request(args)
      return ASKING.includes(args.method) ? awaited(answer) : answer
    },
    ...(on && { on: on.bind(provider) }),
    ...(removeListener && { removeListener: removeListener.bind(provider) }),
    ...(disconnect && { disconnect: disconnect.bind(provider) }),
  }
}

function awaited<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const content = () => t('wallet.noAnswer.text')
    const end = () => {
      open.delete(giveUp)
      clearTimeout(timer)
      if (open.size === 0) walletWaitStore.setState({ stop: null })
      // The question is over with the last call that waits.
      if (open.size === 0)
        for (const modal of modalStore.getState()) if (modal.content === content()) modal.answer(false)
    }
    const giveUp = () => {
      end()
      reject(new FlowError('givenUp'))
    }
    const remind = async () => {
      const isOver = await showModal({
        title: t('wallet.noAnswer.title'),
        content: content(),
        confirmText: t('wallet.noAnswer.stop'),
        cancelText: t('wallet.noAnswer.wait'),
      })
      if (!open.has(giveUp)) return
      if (isOver) return stopWaiting()
      timer = setTimeout(() => void remind(), PATIENCE_MS)
    }
    open.add(giveUp)
    walletWaitStore.setState({ stop: stopWaiting })
    timer = setTimeout(() => void remind(), PATIENCE_MS)
    answer.then(resolve, reject).finally(end)
  })
}
