import { describe, expect, it } from 'vitest'
import { ApiError, displayOf, TransportError } from './api-errors.ts'
import { urlOf } from './api-routes.ts'

describe('displayOf', () => {
  it("shows a refusal as a toast with the server's text", () => {
    const refusal = new ApiError(409, 'SOLD_OUT', 'Sold out')
    expect(displayOf(refusal)).toEqual({ kind: 'toast', text: 'Sold out', signOut: false })
  })

  it('ends the session on 401', () => {
    const refusal = new ApiError(401, 'UNAUTHORIZED', 'Please log in again')
    expect(displayOf(refusal)).toEqual({ kind: 'toast', text: 'Please log in again', signOut: true })
  })

  it('opens a modal for 500 and for a failed transport', () => {
    expect(displayOf(new ApiError(500, 'INTERNAL', 'Internal error'))).toEqual({
      kind: 'modal',
      text: 'Internal error',
    })
    expect(displayOf(new TransportError('timeout', 'timeout'))).toEqual({ kind: 'modal', text: 'timeout' })
    expect(displayOf(new TypeError('boom'))).toEqual({ kind: 'modal', text: 'boom' })
  })

  it('is silent about calls that the app aborted', () => {
    expect(displayOf(new TransportError('abort', 'stopped'))).toEqual({ kind: 'none' })
  })

  it('uses the codes of the specification', () => {
    expect(
      (['timeout', 'network', 'abort', 'transfer'] as const).map(
        (reason) => new TransportError(reason, '').code,
      ),
    ).toEqual([5, 5, 600003, 602001])
  })
})

describe('urlOf', () => {
  it('fills in parameters and query', () => {
    expect(urlOf({ path: 'order/:order_id' }, { params: { order_id: '9007199254740993' } })).toBe(
      '/api/v1/order/9007199254740993',
    )
    expect(urlOf({ path: 'order/all' }, { query: { status: 'Paid', cursor: undefined, limit: 20 } })).toBe(
      '/api/v1/order/all?status=Paid&limit=20',
    )
    expect(urlOf({ path: 'x/:id' }, { params: { id: 'a/b?c' } })).toBe('/api/v1/x/a%2Fb%3Fc')
  })
})
