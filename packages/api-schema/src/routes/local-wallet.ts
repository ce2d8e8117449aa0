import * as localWallet from '../local-wallet.ts'
import { get, post, type Routes } from '../route.ts'

export const localWalletRoutes = {
  walletHistory: get({
    path: 'local-wallet/history',
    access: 'member',
    summary: "What the member's own wallet sent, paid, claimed and received, newest first",
    query: localWallet.walletHistoryQuery,
    data: localWallet.walletHistoryData,
  }),
  tellSend: post({
    path: 'local-wallet/sends',
    access: 'member',
    summary: 'Tell the hash of a send, so that it is followed',
    body: localWallet.tellSendBody,
    data: localWallet.walletSend,
  }),
  walletSend: get({
    path: 'local-wallet/sends/:first_hash',
    access: 'member',
    summary: 'How far a send is',
    params: localWallet.sendParams,
    data: localWallet.walletSend,
  }),
} satisfies Routes
