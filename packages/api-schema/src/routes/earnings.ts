import { earningsData } from '../earnings.ts'
import { get, type Routes } from '../route.ts'

export const earningsRoutes = {
  earnings: get('earnings', 'public', 'What members got back of what they paid', { data: earningsData }),
} satisfies Routes
