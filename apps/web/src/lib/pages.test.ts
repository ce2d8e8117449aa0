import { describe, expect, it } from 'vitest'
import { history, NavigationError, navigateTo, redirectTo, switchTab } from './navigation.ts'
import { hrefOf, pageSpec, pages } from './pages.ts'

describe('the table of pages', () => {
  it('has the five tabs in order', () => {
    const tabs = Object.entries(pages).flatMap(([path, spec]) => ('tab' in spec ? [path] : []))
    expect(tabs).toEqual([
      '/',
      '/pages/rewardList/index',
      '/pages/shop/index',
      '/pages/found/home',
      '/pages/my/index',
    ])
  })

  it('reads ids as text and refuses what is none', () => {
    const search = pages['/pages/shop/shopOrderDetail'].search
    expect(search({ order_id: '9223372036854775807' })).toEqual({ order_id: '9223372036854775807' })
    expect(() => search({ order_id: '1e9' })).toThrow()
    expect(() => search({})).toThrow()
  })

  it('drops what an invitation link may not carry', () => {
    const search = pages['/pages/login/index'].search
    expect(search({ code: ' ABC ', side: 'left', x: '1' })).toEqual({ code: 'ABC', side: 'left' })
    expect(search({ code: '', side: 'up' })).toEqual({})
  })

  it('knows no page by the name of a property of objects', () => {
    expect(pageSpec('constructor')).toBeNull()
  })

  it('writes addresses', () => {
    expect(hrefOf('/pages/login/index', { code: 'A B', side: 'left' })).toBe(
      '/pages/login/index?code=A+B&side=left',
    )
    expect(hrefOf('/')).toBe('/')
  })
})

describe('navigation', () => {
  it('rejects a tab page for the non-tab methods, and any other page for switchTab', () => {
    expect(() => navigateTo('/pages/my/index' as never)).toThrow(NavigationError)
    expect(() => redirectTo('/' as never)).toThrow(NavigationError)
    expect(() => switchTab('/pages/shop/orderList' as never)).toThrow(NavigationError)
  })

  it('opens what it may', () => {
    navigateTo('/pages/shop/shopOrderDetail', { order_id: '7' })
    expect(history.location.href).toBe('/pages/shop/shopOrderDetail?order_id=7')
    switchTab('/pages/shop/index')
    expect(history.location.href).toBe('/pages/shop/index')
  })
})
