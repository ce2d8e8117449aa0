import { waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { history, navigateTo, switchTab } from './navigation.tsx'

const settled = (path: string) => waitFor(() => expect(history.location.pathname).toBe(path))

test('a tab opened from a deeper page replaces the first page, so that back leaves the app', async () => {
  switchTab('/')
  history.flush()
  navigateTo('/pages/shop/orderList')
  history.flush()
  navigateTo('/pages/shop/shopOrderDetail', { order_id: '1' })
  expect(history.canGoBack()).toBe(true)
  switchTab('/pages/shop/index')
  await settled('/pages/shop/index')
  expect(history.canGoBack()).toBe(false)
  navigateTo('/pages/my/sessions')
  switchTab('/pages/rewardList/index', { show: 'rewards' })
  await settled('/pages/rewardList/index')
  expect(history.location.search).toBe('?show=rewards')
  expect(history.canGoBack()).toBe(false)
  // Changes between tabs add nothing.
  switchTab('/')
  expect(history.location.pathname).toBe('/')
  expect(history.canGoBack()).toBe(false)
})
