import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import fc from 'fast-check'
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  type Hex,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import {
  checkApproval,
  checkClaim,
  checkPayment,
  deadlineSeconds,
  type ExpectedPayment,
  type OrderArgs,
  withAllVouchers,
  withPermit,
} from './decode.ts'

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(toHex(bytes)))
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const signature: Hex = `0x${'ab'.repeat(65)}`
const chainId = 42161

const orderArgs = fc.record({
  orderId: uint,
  payer: address,
  package: uint,
  limit: uint,
  usdtAmount: uint,
  amcAmount: uint,
  deadline: uint,
})

function raw(to: Address, data: Hex, change: Partial<TransactionSerializableEIP1559> = {}): Hex {
  return serializeTransaction({ type: 'eip1559', chainId, to, data, ...change })
}

const payData = (order: OrderArgs) =>
  encodeFunctionData({ abi: rifBankAbi, functionName: 'payOrder', args: [order, signature] })

const expectedOf = (order: OrderArgs, bank: Address): ExpectedPayment => ({ ...order, chainId, bank })

/** Every change of one field that results in a different transaction. */
const changes = fc.oneof(
  fc
    .constantFrom('orderId', 'package', 'limit', 'usdtAmount', 'amcAmount', 'deadline')
    .chain((field) => uint.map((value) => ({ field, value }) as const)),
  address.map((value) => ({ field: 'payer', value }) as const),
)

describe('checkPayment', () => {
  it('accepts exactly the payment on the page', () => {
    fc.assert(
      fc.property(orderArgs, address, (order, bank) => {
        const checked = checkPayment(raw(bank, payData(order)), expectedOf(order, bank))
        expect(checked.order).toEqual(order)
        expect(checked.signature).toBe(signature)
        expect(checked.call.to.toLowerCase()).toBe(bank.toLowerCase())
      }),
    )
  })

  it('refuses when any single field of the order differs', () => {
    fc.assert(
      fc.property(orderArgs, address, changes, (order, bank, { field, value }) => {
        fc.pre(order[field as keyof OrderArgs] !== value)
        const changed = { ...order, [field]: value } as OrderArgs
        expect(() => checkPayment(raw(bank, payData(changed)), expectedOf(order, bank))).toThrow()
      }),
    )
  })

  it('refuses when any byte before the signature differs', () => {
    fc.assert(
      fc.property(
        orderArgs,
        address,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (order, bank, position, flip) => {
          const data = payData(order)
          // Selector and head: seven words of the order, the signature's offset and its length.
          const at = 2 + (position % (4 + 9 * 32)) * 2
          const byte = Number.parseInt(data.slice(at, at + 2), 16) ^ flip
          const changed =
            `${data.slice(0, at)}${byte.toString(16).padStart(2, '0')}${data.slice(at + 2)}` as Hex
          expect(() => checkPayment(raw(bank, changed), expectedOf(order, bank))).toThrow()
        },
      ),
    )
  })

  it.each([0, 64, 66, 67, 96])('refuses a signature of %i bytes', (bytes) => {
    const data = encodeFunctionData({
      abi: rifBankAbi,
      functionName: 'payOrder',
      args: [order, `0x${'ab'.repeat(bytes)}`],
    })
    expect(() => checkPayment(raw(bank, data), expected)).toThrow('signature')
  })

  const order: OrderArgs = {
    orderId: (7n << 64n) | 12n,
    payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    package: 1n,
    limit: 200n,
    usdtAmount: 70_000_000n,
    amcAmount: 60n * 10n ** 18n,
    deadline: 1_790_000_000n,
  }
  const bank: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const other: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
  const expected = expectedOf(order, bank)

  it.each([
    ['another chain', raw(bank, payData(order), { chainId: 1 })],
    ['another contract', raw(other, payData(order))],
    ['value along with it', raw(bank, payData(order), { value: 1n })],
    ['an access list', raw(bank, payData(order), { accessList: [{ address: other, storageKeys: [] }] })],
    ['bytes after the arguments', raw(bank, `${payData(order)}00`)],
    [
      'another function',
      raw(
        bank,
        encodeFunctionData({
          abi: rifBankAbi,
          functionName: 'orderPaid',
          args: [order.orderId, order.payer],
        }),
      ),
    ],
    ['an unknown selector', raw(bank, '0xdeadbeef')],
    ['no calldata', raw(bank, '0x')],
    ['no transaction at all', '0x1234' as Hex],
    [
      'a legacy transaction',
      serializeTransaction({ type: 'legacy', chainId, to: bank, data: payData(order) }),
    ],
  ])('refuses %s', (_, tx) => {
    expect(() => checkPayment(tx, expected)).toThrow()
  })

  it('composes the payment with a permit from the checked values', () => {
    const checked = checkPayment(raw(bank, payData(order)), expected)
    const permit = {
      deadline: order.deadline,
      v: 27,
      r: `0x${'01'.repeat(32)}`,
      s: `0x${'02'.repeat(32)}`,
    } as const
    expect(withPermit(checked, permit)).toEqual({
      to: checked.call.to,
      data: encodeFunctionData({
        abi: rifBankAbi,
        functionName: 'payOrderWithPermit',
        args: [order, signature, permit.deadline, permit.v, permit.r, permit.s],
      }),
    })
  })
})

describe('checkApproval', () => {
  const approve = (spender: Address, amount: bigint) =>
    encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [spender, amount] })

  it('accepts only the exact amount for the bank', () => {
    fc.assert(
      fc.property(address, address, address, uint, uint, (token, spender, other, amount, more) => {
        fc.pre(other !== spender && more !== amount)
        const expected = { chainId, token, spender, amount }
        expect(checkApproval(raw(token, approve(spender, amount)), expected).data).toBe(
          approve(spender, amount),
        )
        expect(() => checkApproval(raw(token, approve(other, amount)), expected)).toThrow('spender')
        expect(() => checkApproval(raw(token, approve(spender, more)), expected)).toThrow('approved amount')
      }),
    )
  })

  it('refuses a transfer in place of an approval', () => {
    fc.assert(
      fc.property(address, address, uint, (token, spender, amount) => {
        const data = encodeFunctionData({
          abi: amcTokenAbi,
          functionName: 'transfer',
          args: [spender, amount],
        })
        expect(() => checkApproval(raw(token, data), { chainId, token, spender, amount })).toThrow('function')
      }),
    )
  })
})

describe('checkClaim', () => {
  const voucher = fc.record({ withdrawalId: uint, token: address, to: address, amount: uint, deadline: uint })
  const claimData = (args: {
    withdrawalId: bigint
    token: Address
    to: Address
    amount: bigint
    deadline: bigint
  }) => encodeFunctionData({ abi: rifBankAbi, functionName: 'claim', args: [args, signature] })

  it('accepts the voucher on the page and refuses any single changed field', () => {
    const change = fc.oneof(
      fc
        .constantFrom('withdrawalId', 'amount', 'deadline')
        .chain((field) => uint.map((value) => ({ field, value }) as const)),
      fc.constantFrom('token', 'to').chain((field) => address.map((value) => ({ field, value }) as const)),
    )
    fc.assert(
      fc.property(voucher, address, change, (shown, bank, { field, value }) => {
        fc.pre(shown[field as keyof typeof shown] !== value)
        const expected = { ...shown, chainId, bank }
        expect(checkClaim(raw(bank, claimData(shown)), expected).call.data).toBe(claimData(shown))
        expect(() => checkClaim(raw(bank, claimData({ ...shown, [field]: value })), expected)).toThrow()
      }),
    )
  })
})

describe('withAllVouchers', () => {
  const voucher = fc.record({ withdrawalId: uint, token: address, to: address, amount: uint, deadline: uint })

  it('sends exactly the checked vouchers, in order, each with its own signature', () => {
    fc.assert(
      fc.property(fc.array(voucher, { minLength: 1, maxLength: 5 }), address, (vouchers, bank) => {
        const checked = vouchers.map((voucher, index) => {
          const own = `0x${String(index + 1).repeat(130)}` as Hex
          const data = encodeFunctionData({ abi: rifBankAbi, functionName: 'claim', args: [voucher, own] })
          return checkClaim(raw(bank, data), { ...voucher, chainId, bank })
        })
        const { to, data } = withAllVouchers(checked)
        expect(to.toLowerCase()).toBe(bank.toLowerCase())
        const { functionName, args } = decodeFunctionData({ abi: rifBankAbi, data })
        expect(functionName).toBe('claimMany')
        const [sent, signatures] = args as [typeof vouchers, Hex[]]
        expect(sent.map(({ withdrawalId, amount }) => [withdrawalId, amount])).toEqual(
          vouchers.map(({ withdrawalId, amount }) => [withdrawalId, amount]),
        )
        expect(signatures).toEqual(checked.map(({ signature: own }) => own))
      }),
    )
  })
})

describe('deadlineSeconds', () => {
  it('uses whole seconds, never later than the deadline on the page', () => {
    expect(deadlineSeconds('2026-01-01T00:30:00.000Z', '2026-01-01T00:30:00.400Z')).toBe(1_767_227_400n)
    expect(() => deadlineSeconds('2026-01-01T00:30:02.000Z', '2026-01-01T00:30:00.400Z')).toThrow('deadline')
  })
})
