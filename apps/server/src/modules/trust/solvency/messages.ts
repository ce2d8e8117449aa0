import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of solvency reports. */
export const SOLVENCY_MESSAGES = {
  NOT_IN_REPORT: message(
    404,
    'Your account is not in the report of this day. Please contact support.',
    '您的账户不在当日的报告中，请联系客服。',
    'この日のレポートにあなたのアカウントがありません。サポートにご連絡ください。',
    '이 날의 보고서에 회원님의 계정이 없습니다. 고객 지원에 문의해 주세요.',
  ),
} as const satisfies ErrorMessages
