import { rifBankAbi } from '@rif/contracts/abi'
import { encodeErrorResult } from 'viem'
import { describe, expect, it } from 'vitest'
import { FlowError, RpcError, walletErrorText, walletProblem, wrongAccount } from './provider.ts'

const wrapped = (message: string, data?: unknown) => ({
  code: -32603,
  message: 'Internal JSON-RPC error.',
  data: { code: -32000, message, data },
})

describe('walletProblem', () => {
  it('recognises all forms of a refusal', () => {
    expect(walletProblem(new RpcError(4001, 'User rejected the request'))).toBe('rejected')
    expect(walletProblem({ code: 'ACTION_REJECTED', message: 'ethers-user-denied' })).toBe('rejected')
    expect(
      walletProblem({ code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.' }),
    ).toBe('rejected')
    expect(walletProblem({ code: -32603, message: 'x', data: { originalError: { code: 4001 } } })).toBe(
      'rejected',
    )
    expect(walletProblem({ code: -32000, message: 'Request rejected' })).toBe('rejected')
  })

  it('distinguishes the causes of -32603', () => {
    expect(walletProblem(wrapped('ERC20: transfer amount exceeds balance'))).toBe('notEnoughTokens')
    expect(walletProblem(wrapped('execution reverted', `0xe450d38c${'00'.repeat(96)}`))).toBe(
      'notEnoughTokens',
    )
    expect(walletProblem(wrapped('insufficient funds for gas * price + value'))).toBe('notEnoughForFee')
    const args = [40n, 100n] as const
    const notCovered = encodeErrorResult({ abi: rifBankAbi, errorName: 'NotCovered', args })
    expect(walletProblem(wrapped('execution reverted', notCovered))).toBe('notCovered')
    expect(walletProblem(wrapped('execution reverted: paused'))).toBe('transferFailed')
    expect(walletProblem({ code: -32603, message: 'Internal JSON-RPC error.' })).toBe('internal')
  })

  it('recognises unsupported methods', () => {
    expect(walletProblem(new RpcError(4200, 'unsupported'))).toBe('unsupported')
    expect(walletProblem({ code: -32601, message: 'The method does not exist / is not available.' })).toBe(
      'unsupported',
    )
    expect(walletProblem({ code: 4902, message: 'Unrecognized chain ID "0xa4b1".' })).toBe('unknownChain')
    expect(walletProblem({ code: -32603, data: { originalError: { code: 4902 } } })).toBe('unknownChain')
    expect(walletProblem({ code: -32002, message: 'Request already pending' })).toBe('requestPending')
  })

  it('reports an unknown problem without details', () => {
    expect(walletProblem(new Error('boom'))).toBe('failed')
    expect(walletProblem(null)).toBe('failed')
  })
})

describe('walletErrorText', () => {
  it('names the detail of an alarm and of another account, and the reason of any other error', () => {
    expect(walletErrorText(new FlowError('mismatch', 'receiver'))).toContain(
      'not what you were shown (receiver).',
    )
    expect(walletErrorText(wrongAccount(`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`))).toContain(
      'has 0x2222…2222 chosen. This needs 0x1111…1111.',
    )
    expect(walletErrorText(new RpcError(4001, 'no'))).toBe('You refused in the wallet. Nothing was done.')
    expect(walletErrorText(new Error('boom'))).toBe('The wallet reported an error. Please try again.')
  })
})
