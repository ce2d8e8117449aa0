import { get, post, type Routes } from '../route.ts'
import * as shop from '../shop.ts'

export const shopRoutes = {
  products: get('products', 'public', 'Launchpad packages', { data: shop.productsData }),
  createOrder: post('order', 'member', 'Quote and store an order', {
    movesMoney: true,
    body: shop.createOrderBody,
    data: shop.order,
  }),
  orderPreview: get('order/quote', 'member', 'Quote of a package, without an order', {
    query: shop.orderPreviewQuery,
    data: shop.orderPreviewData,
  }),
  orders: get('order/all', 'member', 'Orders, newest first', {
    query: shop.orderListQuery,
    data: shop.orderListData,
  }),
  order: get('order/:order_id', 'member', 'One order', { params: shop.orderParams, data: shop.order }),
  approveUsdt: get('order/approve/usdt/:order_id', 'member', 'Raw approval of exactly the USDT', {
    lane: 'writes',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.approvalData,
  }),
  approveAmc: get('order/approve/amc/:order_id', 'member', 'Raw approval of exactly the AMC', {
    lane: 'writes',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.approvalData,
  }),
  orderTx: get('order/tx/:order_id', 'member', 'Raw payment with the signed quote', {
    lane: 'writes',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.paymentData,
  }),
  payOrder: post('order/pay', 'member', 'Report the hash of the payment', {
    movesMoney: true,
    body: shop.payBody,
    data: shop.order,
  }),
  cancelOrder: post('order/cancel', 'member', 'Cancel an unpaid order', {
    movesMoney: true,
    body: shop.cancelOrderBody,
    data: shop.order,
  }),
} satisfies Routes
