import { waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import {
  history,
  NavigationError,
  navigateTo,
  redirectTo,
  switchTab,
  TAB_PATHS,
  writeSearch,
} from '../lib/index.ts'
import { pageSpec, pages } from './pages.ts'

describe('the table of pages', () => {
  it('has the five tabs in order', () => {
    expect(TAB_PATHS.filter((path) => path in pages)).toEqual([
      '/',
      '/pages/rewardList/index',
      '/pages/shop/index',
      '/pages/found/home',
      '/pages/my/index',
    ])
  })

  it('reads ids as text and refuses invalid ones', () => {
    const search = pages['/pages/shop/shopOrderDetail'].search
    expect(search({ order_id: '9223372036854775807' })).toEqual({ order_id: '9223372036854775807' })
    expect(() => search({ order_id: '1e9' })).toThrow()
    expect(() => search({})).toThrow()
  })

  it('drops parameters that an invitation link may not have', () => {
    const search = pages['/pages/login/index'].search
    expect(search({ code: ' ABC ', side: 'left', x: '1' })).toEqual({ code: 'ABC', side: 'left' })
    expect(search({ code: '', side: 'up' })).toEqual({})
  })

  it('has no page named like a property of objects', () => {
    expect(pageSpec('constructor')).toBeNull()
  })

  it('writes query strings', () => {
    expect(writeSearch({ code: 'A B', side: 'left' })).toBe('?code=A+B&side=left')
    expect(writeSearch({ code: undefined })).toBe('')
  })
})

describe('navigation', () => {
  it('rejects a tab page for the non-tab methods, and any other page for switchTab', () => {
    // @ts-expect-error the types reject it too
    expect(() => navigateTo('/pages/my/index')).toThrow(NavigationError)
    // @ts-expect-error
    expect(() => redirectTo('/')).toThrow(NavigationError)
    // @ts-expect-error
    expect(() => switchTab('/pages/shop/orderList')).toThrow(NavigationError)
  })

  it('types the query string by the declaration of the page', () => {
    // @ts-expect-error the page requires an order
    expect(() => navigateTo('/pages/shop/shopOrderDetail')).not.toThrow()
    // @ts-expect-error no status of an order
    expect(() => redirectTo('/pages/shop/orderList', { status: 'Lost' })).not.toThrow()
  })

  it('opens allowed pages', async () => {
    navigateTo('/pages/shop/shopOrderDetail', { order_id: '7' })
    expect(history.location.href).toBe('/pages/shop/shopOrderDetail?order_id=7')
    switchTab('/pages/shop/index')
    await waitFor(() => expect(history.location.href).toBe('/pages/shop/index'))
  })
})
