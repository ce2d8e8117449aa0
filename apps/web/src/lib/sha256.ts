export { sha256 } from 'viem'
