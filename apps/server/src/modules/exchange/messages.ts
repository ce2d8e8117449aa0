import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The refusals of the exchange centre. */
export const EXCHANGE_MESSAGES = {
  QUOTE_EXPIRED: message(
    409,
    'This quote has expired. Please ask for a new one',
    '该报价已失效，请重新获取',
    'この見積もりは期限切れです。もう一度取得してください',
    '이 견적은 만료되었습니다. 다시 요청해 주세요',
  ),
  LAUNCH_NOT_FOUND: message(
    404,
    'Launch not found',
    '未找到该发行项目',
    'ローンチが見つかりません',
    '런치를 찾을 수 없습니다',
  ),
  LAUNCH_NOT_OPEN: message(
    409,
    'This launch is not open for subscription now',
    '该发行项目当前不接受认购',
    'このローンチは現在申込を受け付けていません',
    '이 런치는 지금 청약을 받지 않습니다',
  ),
} as const satisfies ErrorMessages
