import * as localWallet from '../local-wallet.ts'
import { get, post, type Routes } from '../route.ts'

export const localWalletRoutes = {
  walletHistory: get(
    'local-wallet/history',
    'member',
    'Transfers, payments and claims of the wallet of the member, newest first',
    { query: localWallet.walletHistoryQuery, data: localWallet.walletHistoryData },
  ),
  tellSend: post('local-wallet/sends', 'member', 'Report the hash of a send to follow it', {
    body: localWallet.tellSendBody,
    data: localWallet.walletSend,
  }),
  walletSend: get('local-wallet/sends/:first_hash', 'member', 'The status of a send', {
    params: localWallet.sendParams,
    data: localWallet.walletSend,
  }),
} satisfies Routes
