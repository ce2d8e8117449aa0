import { get, post, type Routes } from '../route.ts'
import * as shop from '../shop.ts'

export const shopRoutes = {
  products: get({
    path: 'products',
    access: 'public',
    summary: 'Launchpad packages',
    data: shop.productsData,
  }),
  createOrder: post({
    path: 'order',
    access: 'member',
    movesMoney: true,
    summary: 'Quote and store an order',
    body: shop.createOrderBody,
    data: shop.order,
  }),
  orders: get({
    path: 'order/all',
    access: 'member',
    summary: 'Orders, newest first',
    query: shop.orderListQuery,
    data: shop.orderListData,
  }),
  order: get({
    path: 'order/:order_id',
    access: 'member',
    summary: 'One order',
    params: shop.orderParams,
    data: shop.order,
  }),
  approveUsdt: get({
    path: 'order/approve/usdt/:order_id',
    access: 'member',
    summary: 'Raw approval of exactly the USDT',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.approvalData,
  }),
  approveAmc: get({
    path: 'order/approve/amc/:order_id',
    access: 'member',
    summary: 'Raw approval of exactly the AMC',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.approvalData,
  }),
  orderTx: get({
    path: 'order/tx/:order_id',
    access: 'member',
    summary: 'Raw payment with the signed quote',
    params: shop.orderParams,
    query: shop.useHashRateQuery,
    data: shop.paymentData,
  }),
  payOrder: post({
    path: 'order/pay',
    access: 'member',
    movesMoney: true,
    summary: 'Tell the hash of the payment',
    body: shop.payBody,
    data: shop.order,
  }),
  cancelOrder: post({
    path: 'order/cancel',
    access: 'member',
    movesMoney: true,
    summary: 'Cancel an unpaid order',
    body: shop.cancelOrderBody,
    data: shop.order,
  }),
} satisfies Routes
