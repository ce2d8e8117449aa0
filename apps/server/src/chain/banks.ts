import { isWalletAddress } from '@rif/rules'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { AppError } from '../lib/errors.ts'

/** The addresses of the deployed contracts and the two tokens; in a `Chain` in the checksummed form of EIP-55. */
export type ContractAddresses = {
  /** The bank that takes orders. */
  readonly bank: Address
  /** The banks that took orders before it, oldest first. */
  readonly formerBanks?: readonly Address[] | undefined
  readonly transfer: Address
  readonly usdt: Address
  readonly amc: Address
}

/** An owner of the contracts' addresses, such as a `Chain`. */
interface Knows {
  readonly contracts: ContractAddresses
}

/** Returns every bank contract that the product follows, oldest first; the last one takes orders. */
export function banksOf({
  bank,
  formerBanks = [],
}: Pick<ContractAddresses, 'bank' | 'formerBanks'>): readonly Address[] {
  return [...formerBanks, bank]
}

/** Returns the address of a followed bank that is stored as text, with its checksum. Throws for any other. */
export function bankAt({ contracts }: Knows, stored: string): Address {
  const address = banksOf(contracts).find((bank) => bank.toLowerCase() === stored.toLowerCase())
  if (address === undefined) throw new Error(`${stored} is no bank contract of CONTRACTS`)
  return address
}

/** Returns the position of a followed bank in the list, the oldest 0. Throws for any other. */
export function bankNumber(chain: Knows, bank: Address): number {
  const address = bankAt(chain, bank)
  return banksOf(chain.contracts).findIndex((item) => isAddressEqual(item, address))
}

/** Returns the contracts whose events are followed: all banks and the transfer contract. */
export function followedContracts({ contracts }: Knows): readonly Address[] {
  return [...banksOf(contracts), contracts.transfer]
}

/** Returns an address in lower case. Throws INVALID_ADDRESS for one that nobody can own, such as a contract of the product. */
export function readWallet({ contracts }: Knows, address: string): string {
  if (!isWalletAddress(address, ownContracts(contracts))) throw new AppError('INVALID_ADDRESS')
  return address.toLowerCase()
}

/** Returns the product's contracts and tokens. */
export function ownContracts(contracts: ContractAddresses): readonly Address[] {
  return [...followedContracts({ contracts }), contracts.usdt, contracts.amc]
}

/** Returns the addresses in the checksummed form of EIP-55. */
export function withChecksums({ bank, formerBanks = [], ...others }: ContractAddresses): ContractAddresses {
  const { transfer, usdt, amc } = others
  return {
    bank: getAddress(bank),
    ...(formerBanks.length > 0 && { formerBanks: formerBanks.map((former) => getAddress(former)) }),
    transfer: getAddress(transfer),
    usdt: getAddress(usdt),
    amc: getAddress(amc),
  }
}
