import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { fireEvent, render } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { history, navigateTo } from '../lib/index.ts'
import SideNav from './side-nav.tsx'

const router = createRouter({ routeTree: createRootRoute() })

beforeEach(() => {
  navigateTo('/pages/shop/orderList')
  render(
    <RouterContextProvider router={router}>
      <SideNav tabs={[]} current="/pages/shop/orderList" />
      <h1 tabIndex={-1}>My orders</h1>
      <input aria-label="field" />
    </RouterContextProvider>,
  )
})

const path = () => history.location.pathname
const field = () => document.querySelector('input')!

test('"/" and Ctrl+K open the search', () => {
  fireEvent.keyDown(document.body, { key: '/' })
  expect(path()).toBe('/pages/search')
  navigateTo('/pages/shop/orderList')
  fireEvent.keyDown(field(), { key: 'k', ctrlKey: true })
  expect(path()).toBe('/pages/search')
})

test('the first control leads past the navigation to the heading of the page', () => {
  const first = document.querySelector('a, button')!
  expect(first.textContent).toBe('Skip to the page')
  fireEvent.click(first)
  expect(document.activeElement?.textContent).toBe('My orders')
})

test('a "/" typed into a field is a character, and other keys do nothing', () => {
  fireEvent.keyDown(field(), { key: '/' })
  fireEvent.keyDown(document.body, { key: 'k' })
  fireEvent.keyDown(document.body, { key: '/', ctrlKey: true })
  expect(path()).toBe('/pages/shop/orderList')
})

test('nothing happens under an open dialog', () => {
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  fireEvent.keyDown(document.body, { key: '/' })
  fireEvent.keyDown(document.body, { key: 'k', metaKey: true })
  expect(path()).toBe('/pages/shop/orderList')
  dialog.remove()
})
