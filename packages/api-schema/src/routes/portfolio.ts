import * as portfolio from '../portfolio.ts'
import { get, type Routes } from '../route.ts'

export const portfolioRoutes = {
  portfolio: get(
    'me/portfolio',
    'member',
    'Holdings at the end of each of the last days, and their changes',
    {
      query: portfolio.portfolioQuery,
      data: portfolio.portfolioData,
    },
  ),
} satisfies Routes
