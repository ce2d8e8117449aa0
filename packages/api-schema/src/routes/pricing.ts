import * as pricing from '../pricing.ts'
import { get, type Routes } from '../route.ts'

export const pricingRoutes = {
  tokenPrice: get('token/price', 'public', 'AMC in USDT', { data: pricing.tokenPrice }),
  tokenPrice2: get('token/price2', 'public', 'RIF in USDT', { data: pricing.tokenPrice }),
  priceDays: get('token/prices', 'public', 'The price of AMC or RIF on each of the last days', {
    query: pricing.priceDaysQuery,
    data: pricing.priceDaysData,
  }),
} satisfies Routes
