import * as exchange from '../exchange.ts'
import { get, post, type Routes } from '../route.ts'

export const exchangeRoutes = {
  exchange: get({
    path: 'exchange',
    access: 'member',
    summary: 'Dividend rights, VC, rates, caps and dividends paid',
    data: exchange.exchangeData,
  }),
  exchangeQuote: post({
    path: 'exchange/quote',
    access: 'member',
    summary: 'Freeze what an amount of RIF is exchanged into',
    body: exchange.exchangeQuoteBody,
    data: exchange.conversionQuote,
  }),
  makeExchange: post({
    path: 'exchange',
    access: 'member',
    movesMoney: true,
    summary: 'Exchange as it was quoted',
    body: exchange.exchangeBody,
    data: exchange.conversion,
  }),
  exchanges: get({
    path: 'exchange/list',
    access: 'member',
    summary: 'Exchanges, newest first',
    query: exchange.exchangeListQuery,
    data: exchange.exchangeListData,
  }),
  dividends: get({
    path: 'exchange/dividends',
    access: 'member',
    summary: 'Dividends received, newest first',
    query: exchange.dividendsQuery,
    data: exchange.dividendsData,
  }),
  launches: get({
    path: 'exchange/launches',
    access: 'member',
    summary: 'VC launches, newest first',
    query: exchange.launchesQuery,
    data: exchange.launchesData,
  }),
  subscribeLaunch: post({
    path: 'exchange/launches/:launch_id/subscribe',
    access: 'member',
    movesMoney: true,
    summary: 'Put VC into an open launch',
    params: exchange.launchParams,
    body: exchange.subscribeBody,
    data: exchange.launch,
  }),
} satisfies Routes
