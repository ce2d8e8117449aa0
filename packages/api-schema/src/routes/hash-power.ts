import * as hashPower from '../hash-power.ts'
import { get, post, type Routes } from '../route.ts'

export const hashPowerRoutes = {
  hashRate: get('hashrate', 'member', 'Hash power and its history', {
    query: hashPower.hashRateQuery,
    data: hashPower.hashRateData,
  }),
  hashRatePercent: get('hashrate/percent', 'member', 'The discount that hash power gives', {
    data: hashPower.hashRatePercentData,
  }),
  hashRateQuote: post('hashrate/quote', 'member', 'Quote a purchase of hash power', {
    body: hashPower.hashRateQuoteBody,
    data: hashPower.hashRateQuoteData,
  }),
  buyHashRate: post('hashrate', 'member', 'Buy quoted hash power', {
    movesMoney: true,
    body: hashPower.buyHashRateBody,
    data: hashPower.buyHashRateData,
  }),
} satisfies Routes
