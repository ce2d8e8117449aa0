import { type ErrorMessages, message } from '../../lib/messages.ts'

/** Refusals while an area is paused or a member is frozen. */
export const GATE_MESSAGES = {
  PAUSED: message(
    409,
    'This is paused for the moment. Your money is safe; please try again later',
    '该功能暂时停用。您的资金安全，请稍后再试',
    '一時停止中です。資産は安全です。しばらくしてからお試しください',
    '잠시 중단되었습니다. 자산은 안전하니 나중에 다시 시도해 주세요',
  ),
  MEMBER_FROZEN: message(
    403,
    'This account is frozen. Please contact the operator',
    '该账户已被冻结，请联系运营方',
    'このアカウントは凍結されています。運営にお問い合わせください',
    '이 계정은 동결되었습니다. 운영자에게 문의해 주세요',
  ),
} as const satisfies ErrorMessages
