import * as exchange from '../exchange.ts'
import { get, post, type Routes } from '../route.ts'

export const exchangeRoutes = {
  exchange: get('exchange', 'member', 'Dividend rights, VC, rates, caps and dividends paid', {
    data: exchange.exchangeData,
  }),
  exchangeQuote: post('exchange/quote', 'member', 'Quote an exchange of RIF', {
    body: exchange.exchangeQuoteBody,
    data: exchange.conversionQuote,
  }),
  makeExchange: post('exchange', 'member', 'Execute a quoted exchange', {
    movesMoney: true,
    body: exchange.exchangeBody,
    data: exchange.conversion,
  }),
  exchanges: get('exchange/list', 'member', 'Exchanges, newest first', {
    query: exchange.exchangeListQuery,
    data: exchange.exchangeListData,
  }),
  dividends: get('exchange/dividends', 'member', 'Dividends received, newest first', {
    query: exchange.dividendsQuery,
    data: exchange.dividendsData,
  }),
  launches: get('exchange/launches', 'member', 'VC launches, newest first', {
    query: exchange.launchesQuery,
    data: exchange.launchesData,
  }),
  subscribeLaunch: post(
    'exchange/launches/:launch_id/subscribe',
    'member',
    'Subscribe to an open launch with VC',
    {
      movesMoney: true,
      params: exchange.launchParams,
      body: exchange.subscribeBody,
      data: exchange.launch,
    },
  ),
} satisfies Routes
