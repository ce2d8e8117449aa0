import { createRootRoute, createRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createEvent, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { history, PageLink, switchTab, writeSearch } from './navigation.tsx'

const onLoad = vi.fn()
const root = createRootRoute()
const loaded = (path: string) =>
  createRoute({ getParentRoute: () => root, path, beforeLoad: () => onLoad(path) })
const router = createRouter({
  routeTree: root.addChildren(['/', '/pages/shop/index', '/pages/shop/shopOrderDetail'].map(loaded)),
  history,
  stringifySearch: writeSearch,
})

const settled = (href: string) => vi.waitFor(() => expect(history.location.href).toBe(href))

beforeEach(async () => {
  onLoad.mockClear()
  switchTab('/pages/shop/index')
  await settled('/pages/shop/index')
  render(
    <RouterContextProvider router={router}>
      <PageLink to="/pages/shop/shopOrderDetail" search={{ order_id: '7' }}>
        order
      </PageLink>
      <PageLink to="/">home</PageLink>
      <PageLink to="/pages/shop/index">here</PageLink>
    </RouterContextProvider>,
  )
})

const link = (name: string) => screen.getByRole('link', { name })

test('a link opens its page on top, and that of a tab in place of all pages', async () => {
  expect(link('order').getAttribute('href')).toBe('/pages/shop/shopOrderDetail?order_id=7')
  fireEvent.click(link('order'))
  await settled('/pages/shop/shopOrderDetail?order_id=7')
  expect(history.canGoBack()).toBe(true)
  fireEvent.click(link('home'))
  await settled('/')
  expect(history.canGoBack()).toBe(false)
})

test('a link leaves a click with a key to the browser, and names the page that it is on', async () => {
  const click = createEvent.click(link('order'), { ctrlKey: true })
  // The environment of tests follows no links.
  window.addEventListener('click', (event) => event.preventDefault(), { once: true })
  fireEvent(link('order'), click)
  expect(history.location.href).toBe('/pages/shop/index')
  expect(link('here').getAttribute('aria-current')).toBe('page')
  expect(link('order').getAttribute('aria-current')).toBeNull()
})

test('a link loads its page when it is touched, or a pointer rests on it, and not when one passes over it', async () => {
  fireEvent.touchStart(link('order'))
  await vi.waitFor(() => expect(onLoad).toHaveBeenCalledWith('/pages/shop/shopOrderDetail'))
  onLoad.mockClear()
  fireEvent.mouseEnter(link('order'))
  fireEvent.mouseLeave(link('order'))
  fireEvent.mouseEnter(link('home'))
  await vi.waitFor(() => expect(onLoad).toHaveBeenCalledWith('/'))
  expect(onLoad).not.toHaveBeenCalledWith('/pages/shop/shopOrderDetail')
})
