import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of transfers between members. */
export const TRANSFERS_MESSAGES = {
  ADDRESS_NOT_REGISTERED: message(
    404,
    'This address is not registered here',
    '该地址未在系统中注册',
    'このアドレスは登録されていません',
    '등록되지 않은 주소입니다',
  ),
  SELF_TRANSFER: message(
    400,
    'You cannot transfer to yourself',
    '不能转账给自己',
    '自分自身には送れません',
    '자신에게는 이체할 수 없습니다',
  ),
  TRANSFER_NOT_FOUND: message(
    404,
    'Transfer not found',
    '未找到转账记录',
    '送金が見つかりません',
    '이체 내역을 찾을 수 없습니다',
  ),
} as const satisfies ErrorMessages
