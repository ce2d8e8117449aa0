import * as localWallet from '../local-wallet.ts'
import { get, post, type Routes } from '../route.ts'

export const localWalletRoutes = {
  walletHistory: get(
    'local-wallet/history',
    'member',
    "What the member's own wallet sent, paid, claimed and received, newest first",
    { query: localWallet.walletHistoryQuery, data: localWallet.walletHistoryData },
  ),
  tellSend: post('local-wallet/sends', 'member', 'Tell the hash of a send, so that it is followed', {
    body: localWallet.tellSendBody,
    data: localWallet.walletSend,
  }),
  walletSend: get('local-wallet/sends/:first_hash', 'member', 'How far a send is', {
    params: localWallet.sendParams,
    data: localWallet.walletSend,
  }),
} satisfies Routes
