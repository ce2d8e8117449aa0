import { createHash } from 'node:crypto'
import { rifBankAbi } from '@rif/contracts/abi'
import { toChainUnits } from '@rif/rules'
import { type Context, dayNumberOf, type HashInto, liabilitiesOf, rootOf } from '@rif/solvency'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseSignature,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import type { SigningKey } from './keys/signing-key.ts'
import type { Reason, SignRequest } from './protocol.ts'
import type { StoredReport } from './reading.ts'
import type { BankTerms } from './terms.ts'

/** The limit of a transaction's cost, regardless of the request: at most 0.02 ETH. */
const MAX_GAS = 1_000_000n
const MAX_FEE_WEI = 20_000_000_000n

const sha256Into: HashInto = (data, target, at) => target.set(createHash('sha256').update(data).digest(), at)

type PublicationRequest = Extract<SignRequest, { kind: 'publication' }>

/** A transaction that publishes a report. */
export interface Publication {
  readonly bank: Address
  readonly root: string
  readonly tx: TransactionSerializableEIP1559
}

/**
 * Judges a stored report: returns the transaction that publishes it, or the reason for a refusal. Everything
 * but nonce, gas and fees comes from the report, whose root must follow from its figures. Rules, section 13.
 */
export function publicationOf(
  request: PublicationRequest,
  row: StoredReport | undefined,
  bank: BankTerms,
): Publication | Reason {
  if (row === undefined) return 'unknown'
  const to = bank.banks.find((own) => own.toLowerCase() === row.bank)
  const isCheap =
    request.gas <= MAX_GAS && request.maxFee <= MAX_FEE_WEI && request.priorityFee <= request.maxFee
  if (to === undefined || row.chainId !== BigInt(bank.chainId) || !isCheap) return 'bad_terms'
  const context: Context = { chainId: bank.chainId, bank: row.bank, dayNumber: dayNumberOf(request.day) }
  if (rootOf(context, row.report, sha256Into) !== row.root) return 'bad_terms'
  return {
    bank: to,
    root: row.root,
    tx: {
      type: 'eip1559',
      chainId: bank.chainId,
      to,
      value: 0n,
      data: callOf(context, row, bank),
      nonce: Number(request.nonce),
      gas: request.gas,
      maxFeePerGas: request.maxFee,
      maxPriorityFeePerGas: request.priorityFee,
    },
  }
}

function callOf(context: Context, { root, report }: StoredReport, bank: BankTerms): Hex {
  const { usdt, amc } = liabilitiesOf(report)
  const units = (asset: 'USDT' | 'AMC', micros: bigint) => toChainUnits(micros, bank.decimals[asset])
  return encodeFunctionData({
    abi: rifBankAbi,
    functionName: 'publishSolvency',
    args: [
      context.dayNumber,
      root as Hex,
      { ledger: report.ledgerHead as Hex, operators: report.operatorsHead as Hex },
      [
        {
          token: bank.tokens.USDT,
          liabilities: units('USDT', usdt),
          fundCash: units('USDT', report.fundCash),
        },
        { token: bank.tokens.AMC, liabilities: units('AMC', amc), fundCash: 0n },
      ],
    ],
  })
}

/** Returns the hash that is signed for a transaction. */
export const digestOf = (tx: TransactionSerializableEIP1559): Hex => keccak256(serializeTransaction(tx))

/** Returns the signed transaction. */
export async function signedTx(key: SigningKey, tx: TransactionSerializableEIP1559): Promise<Hex> {
  return serializeTransaction(tx, parseSignature(await key.sign(digestOf(tx))))
}
