import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of webhooks. */
export const WEBHOOKS_MESSAGES = {
  WEBHOOKS_NOT_SET_UP: message(
    409,
    'Webhooks are not set up on this server',
    '此服务器尚未设置 Webhook',
    'このサーバーでは Webhook が設定されていません',
    '이 서버에는 웹훅이 설정되지 않았습니다',
  ),
} as const satisfies ErrorMessages
