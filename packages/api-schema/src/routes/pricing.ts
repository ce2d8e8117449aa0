import * as pricing from '../pricing.ts'
import { get, type Routes } from '../route.ts'

export const pricingRoutes = {
  tokenPrice: get({
    path: 'token/price',
    access: 'public',
    summary: 'AMC in USDT',
    data: pricing.tokenPrice,
  }),
  tokenPrice2: get({
    path: 'token/price2',
    access: 'public',
    summary: 'RIF in USDT',
    data: pricing.tokenPrice,
  }),
} satisfies Routes
