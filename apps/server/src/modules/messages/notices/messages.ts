import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of notices by mail and push. */
export const NOTICES_MESSAGES = {
  NOTICES_NOT_SET_UP: message(
    409,
    'The operator has not set this up',
    '运营方尚未设置此功能',
    '運営者がまだ設定していません',
    '운영자가 아직 설정하지 않았습니다',
  ),
  NOTICE_CODE_WRONG: message(
    400,
    'This code is incorrect',
    '验证码不正确',
    'コードが正しくありません',
    '코드가 올바르지 않습니다',
  ),
  NOTICE_CODE_OVER: message(
    409,
    'This code is no longer valid. Please request a new one',
    '验证码已失效，请重新发送',
    'このコードは無効になりました。もう一度送信してください',
    '이 코드는 더 이상 유효하지 않습니다. 다시 보내세요',
  ),
  NOTICE_LINK_OVER: message(
    409,
    'This link is no longer valid',
    '此链接已失效',
    'このリンクは無効になりました',
    '이 링크는 더 이상 유효하지 않습니다',
  ),
  // Not 429, which means to the app that the server is busy.
  TOO_MANY_NOTICES: message(
    409,
    'Too many messages, please try again tomorrow',
    '消息过多，请明天再试',
    'メッセージが多すぎます。明日もう一度お試しください',
    '메시지가 너무 많습니다. 내일 다시 시도하세요',
  ),
} as const satisfies ErrorMessages
