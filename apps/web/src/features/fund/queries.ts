import { useQuery } from '@tanstack/react-query'
import { apiFollow, apiQuery, useSession } from '../../lib/index.ts'
import { isOpenRedemption, isUnderWay } from './fund-view.ts'

/** One purchase, followed as long as its payment can still change. */
export const useFundOrder = (orderId: string) =>
  useQuery(apiFollow('fundOrder', { params: { order_id: orderId } }, isUnderWay))

/** One redemption, followed as long as it can still change by itself. */
export const useRedemption = (redemptionId: string) =>
  useQuery(apiFollow('fundRedemption', { params: { redemption_id: redemptionId } }, isOpenRedemption))

/** A product with its documents. */
export const useProduct = (productId: string) =>
  useQuery(apiQuery('fundProduct', { params: { product_id: productId } }))

export const useIsMember = () => useSession().token !== ''
