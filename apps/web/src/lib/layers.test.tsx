import { act, cleanup, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useLayer } from './layers.ts'
import { history, navigateBack, navigateTo, redirectTo, switchTab } from './navigation.tsx'

/** Opens a layer that closes when it is told to, unless it must stay. */
function open(mayClose = true) {
  const { result, rerender, unmount } = renderHook(
    ({ isOpen }) => {
      useLayer(isOpen, mayClose ? () => rerender({ isOpen: false }) : null)
      return isOpen
    },
    { initialProps: { isOpen: true } },
  )
  return { isOpen: () => result.current, close: unmount }
}

const settled = () => act(() => new Promise((done) => setTimeout(done, 120)))
const back = async () => {
  window.history.back()
  await settled()
}
const here = () => `${window.location.pathname}${window.location.search}`
/** Returns where the router is, which must be where the browser is. */
const routerHref = () => history.location.href

beforeEach(async () => {
  switchTab('/')
  await settled()
  navigateTo('/pages/shop/orderList')
  await settled()
})

describe('back', () => {
  it('closes the layer and stays on the page, and then leaves it', async () => {
    const sheet = open()
    await settled()
    await back()
    expect([sheet.isOpen(), here(), routerHref()]).toEqual([
      false,
      '/pages/shop/orderList',
      '/pages/shop/orderList',
    ])
    await back()
    expect([here(), routerHref()]).toEqual(['/', '/'])
  })

  it('is not told to the router', async () => {
    const listener = vi.fn()
    const stop = history.subscribe(listener)
    open()
    await settled()
    await back()
    stop()
    expect(listener).not.toHaveBeenCalled()
  })

  it('leaves the page at once when the layer was closed by other means', async () => {
    const sheet = open()
    await settled()
    sheet.close()
    await settled()
    expect([here(), window.history.state.guard]).toEqual(['/pages/shop/orderList', undefined])
    await back()
    expect([here(), routerHref()]).toEqual(['/', '/'])
  })

  it('is known to the router even if it comes before the guard of a closed layer has gone', async () => {
    const sheet = open()
    await settled()
    sheet.close()
    await back()
    // Which of the two is first is up to the browser: the page is left, or with the next one.
    expect(routerHref()).toBe(here())
    if (here() !== '/') await back()
    expect([here(), routerHref()]).toEqual(['/', '/'])
  })

  it('does nothing while the layer must not be closed, however often', async () => {
    const sheet = open(false)
    await settled()
    for (const _ of [1, 2, 3]) {
      await back()
      expect([sheet.isOpen(), here(), routerHref()]).toEqual([
        true,
        '/pages/shop/orderList',
        '/pages/shop/orderList',
      ])
    }
    sheet.close()
    await settled()
    await back()
    expect(here()).toBe('/')
  })

  it('closes the layer that opened last, one at a time', async () => {
    const [sheet, dialog] = [open(), open()]
    await settled()
    await back()
    expect([sheet.isOpen(), dialog.isOpen()]).toEqual([true, false])
    await back()
    expect([sheet.isOpen(), here()]).toEqual([false, '/pages/shop/orderList'])
    await back()
    expect(here()).toBe('/')
  })
})

describe('a layer', () => {
  it('leaves nothing behind when a page is opened from it', async () => {
    const sheet = open()
    await settled()
    const entries = window.history.length
    navigateTo('/pages/my/sessions')
    sheet.close()
    await settled()
    expect(window.history.length).toBe(entries)
    expect([here(), routerHref()]).toEqual(['/pages/my/sessions', '/pages/my/sessions'])
    await back()
    expect([here(), routerHref()]).toEqual(['/pages/shop/orderList', '/pages/shop/orderList'])
  })

  it('gives way to a page that is opened just after it closed', async () => {
    const sheet = open()
    await settled()
    sheet.close()
    await act(() => new Promise((done) => setTimeout(done)))
    navigateTo('/pages/my/sessions')
    await settled()
    expect([here(), routerHref()]).toEqual(['/pages/my/sessions', '/pages/my/sessions'])
    await back()
    expect([here(), routerHref()]).toEqual(['/pages/shop/orderList', '/pages/shop/orderList'])
  })

  it('keeps what replaces the page below it', async () => {
    const sheet = open()
    await settled()
    redirectTo('/pages/shop/orderList', { status: 'Cancelled' })
    await settled()
    expect(sheet.isOpen()).toBe(true)
    await back()
    expect([sheet.isOpen(), here(), routerHref()]).toEqual([
      false,
      '/pages/shop/orderList?status=Cancelled',
      '/pages/shop/orderList?status=Cancelled',
    ])
    await back()
    expect(here()).toBe('/')
  })

  it('follows another one in the same place', async () => {
    const first = open()
    await settled()
    first.close()
    const second = open()
    await settled()
    await back()
    expect([second.isOpen(), here()]).toEqual([false, '/pages/shop/orderList'])
    await back()
    expect(here()).toBe('/')
  })

  it('does not hold the app’s own way back, nor a tab', async () => {
    open()
    await settled()
    navigateBack()
    cleanup()
    await settled()
    expect([here(), routerHref()]).toEqual(['/', '/'])
    navigateTo('/pages/shop/orderList')
    await settled()
    open()
    await settled()
    switchTab('/pages/shop/index')
    cleanup()
    await settled()
    expect([here(), routerHref(), history.canGoBack()]).toEqual([
      '/pages/shop/index',
      '/pages/shop/index',
      false,
    ])
  })
})
