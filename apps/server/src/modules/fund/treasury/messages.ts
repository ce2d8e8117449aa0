import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of exits. */
export const TREASURY_MESSAGES = {
  EXIT_ANNOUNCED: message(
    409,
    'This exit was announced on chain or has ended',
    '该支出已在链上公布或已结束',
    'この出金はチェーン上で告知済みか終了しています',
    '이 출금은 체인에 공지되었거나 종료되었습니다',
  ),
  EXIT_NOT_ANNOUNCED: message(
    409,
    'This exit is not announced on chain, or has ended',
    '该支出尚未在链上公布或已结束',
    'この出金はチェーン上で告知されていないか終了しています',
    '이 출금은 체인에 공지되지 않았거나 종료되었습니다',
  ),
} as const satisfies ErrorMessages
