import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearSession, saveToken } from '../../lib/index.ts'
import type { PendingTx } from './flow-state.ts'
import { reportSent, reportUnreported } from './report.ts'

const sent = (digit: string): PendingTx => ({
  step: 'pay',
  from: '0xaa',
  hash: `0x${digit.repeat(64)}`,
  nonce: 3,
  callsId: null,
})

/** The reports that the server received while it was reachable. */
let reports: { tx_hash: string }[] = []
let isThere = true

beforeEach(() => {
  reports = []
  isThere = true
  saveToken('t', '0xaa')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    if (!isThere) throw new TypeError('Failed to fetch')
    reports.push(JSON.parse(String(init?.body)))
    return Response.json({ code: 200, msg: 'OK', data: {} })
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  clearSession()
  localStorage.clear()
})

it('reports the purpose, and nothing about a batch with an unknown hash', async () => {
  await reportSent('order:7', sent('1'))
  await reportSent('order:7', { ...sent('2'), step: 'batch', hash: null, callsId: 'x' })
  await reportSent('approval:usdt bank', { ...sent('3'), step: 'revokeUsdt' })
  expect(reports).toEqual([
    { tx_hash: sent('1').hash, kind: 'pay', nonce: 3, subject_id: '7' },
    { tx_hash: sent('3').hash, kind: 'revokeUsdt', nonce: 3 },
  ])
})

it('reports failed reports later, once, and only for the member who sent the transaction', async () => {
  isThere = false
  await reportSent('order:7', sent('1'))
  isThere = true
  saveToken('t', '0xbb')
  await reportUnreported()
  expect(reports).toEqual([])
  saveToken('t', '0xaa')
  await reportUnreported()
  await reportUnreported()
  expect(reports.map(({ tx_hash }) => tx_hash)).toEqual([sent('1').hash])
})
