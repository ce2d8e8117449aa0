import * as pricing from '../pricing.ts'
import { get, post, type Routes } from '../route.ts'

export const pricingRoutes = {
  tokenPrice: get('token/price', 'public', 'AMC in USDT', { data: pricing.tokenPrice }),
  tokenPrice2: get('token/price2', 'public', 'RIF in USDT', { data: pricing.tokenPrice }),
  priceAt: get('token/price-at', 'public', 'The price of AMC or RIF that was valid at a time', {
    query: pricing.priceAtQuery,
    data: pricing.tokenPrice,
  }),
  priceDays: get('token/prices', 'public', 'The price of AMC or RIF on each of the last days', {
    query: pricing.priceDaysQuery,
    data: pricing.priceDaysData,
  }),
  priceHistory: get('token/price-history', 'public', 'Every published price with its source, newest first', {
    query: pricing.priceHistoryQuery,
    data: pricing.priceHistoryData,
  }),
  displayRates: get('display/rates', 'public', 'The rates of the currencies that amounts are also shown in', {
    data: pricing.displayRatesData,
  }),
  rateHistory: get('display/rate-history', 'public', 'Every published rate of a currency, newest first', {
    query: pricing.rateHistoryQuery,
    data: pricing.rateHistoryData,
  }),
  priceFeed: post('prices/feed/:source', 'public', 'A price of a feed, signed as by Standard Webhooks', {
    params: pricing.priceFeedParams,
    body: pricing.priceFeedBody,
    bodyLimit: 1024,
    data: pricing.priceFeedData,
  }),
} satisfies Routes

export const pricingAdminRoutes = {
  adminPrices: get('admin/prices', 'viewer', 'The feeds and oracles and what each said last', {
    data: pricing.adminPricesData,
  }),
} satisfies Routes
