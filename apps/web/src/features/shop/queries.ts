import { useQuery } from '@tanstack/react-query'
import { apiFollow, apiQuery } from '../../lib/index.ts'
import { isOpen } from './order-view.ts'

/** One order, followed as long as it can still change by itself. */
export const useOrder = (orderId: string) =>
  useQuery(apiFollow('order', { params: { order_id: orderId } }, isOpen))

/** The newest unpaid orders: what the shop offers to go on with. */
export const unpaidOrders = apiQuery('orders', { query: { status: 'UnPaid' } })
