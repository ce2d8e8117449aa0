import * as exchange from '../exchange.ts'
import { get, post, type Routes } from '../route.ts'

export const exchangeRoutes = {
  exchange: get('exchange', 'member', 'Dividend rights, VC, rates, caps and dividends paid', {
    data: exchange.exchangeData,
  }),
  exchangeQuote: post('exchange/quote', 'member', 'Freeze what an amount of RIF is exchanged into', {
    body: exchange.exchangeQuoteBody,
    data: exchange.conversionQuote,
  }),
  makeExchange: post('exchange', 'member', 'Exchange as it was quoted', {
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
  subscribeLaunch: post('exchange/launches/:launch_id/subscribe', 'member', 'Put VC into an open launch', {
    movesMoney: true,
    params: exchange.launchParams,
    body: exchange.subscribeBody,
    data: exchange.launch,
  }),
} satisfies Routes
