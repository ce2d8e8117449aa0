import { moneyPolicyData } from '../money-policy.ts'
import { get, type Routes } from '../route.ts'

export const moneyPolicyRoutes = {
  moneyPolicy: get('money/policy', 'public', 'How money gets into the bank and out of it', {
    data: moneyPolicyData,
  }),
} satisfies Routes
