import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of revenue deposits. */
export const ATTESTED_REVENUE_MESSAGES = {
  DEPOSIT_USED: message(
    409,
    'This deposit is already used for another attestation or return of money',
    '该存款已用于另一项证明或资金收回',
    'この入金は別の証明または資金の回収に使われています',
    '이 입금은 다른 증명이나 자금 회수에 사용되었습니다',
  ),
} as const satisfies ErrorMessages
