import * as hashPower from '../hash-power.ts'
import { get, post, type Routes } from '../route.ts'

export const hashPowerRoutes = {
  hashRate: get({
    path: 'hashrate',
    access: 'member',
    summary: 'Hash power and what moved it',
    query: hashPower.hashRateQuery,
    data: hashPower.hashRateData,
  }),
  hashRatePercent: get({
    path: 'hashrate/percent',
    access: 'member',
    summary: 'The discount that hash power gives',
    data: hashPower.hashRatePercentData,
  }),
  hashRateQuote: post({
    path: 'hashrate/quote',
    access: 'member',
    summary: 'Freeze what an amount of AMC buys',
    body: hashPower.hashRateQuoteBody,
    data: hashPower.hashRateQuoteData,
  }),
  buyHashRate: post({
    path: 'hashrate',
    access: 'member',
    movesMoney: true,
    summary: 'Buy hash power as it was quoted',
    body: hashPower.buyHashRateBody,
    data: hashPower.buyHashRateData,
  }),
} satisfies Routes
