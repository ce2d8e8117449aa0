import * as pricing from '../pricing.ts'
import { get, post, type Routes } from '../route.ts'

export const pricingRoutes = {
  tokenPrice: get('token/price', 'public', 'AMC in USDT', { data: pricing.tokenPrice }),
  tokenPrice2: get('token/price2', 'public', 'RIF in USDT', { data: pricing.tokenPrice }),
  priceDays: get('token/prices', 'public', 'The price of AMC or RIF on each of the last days', {
    query: pricing.priceDaysQuery,
    data: pricing.priceDaysData,
  }),
  priceHistory: get('token/price-history', 'public', 'Every published price with its source, newest first', {
    query: pricing.priceHistoryQuery,
    data: pricing.priceHistoryData,
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
