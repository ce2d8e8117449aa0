import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of sign-in and signed statements. */
export const AUTH_MESSAGES = {
  MESSAGE_INVALID: message(
    400,
    'The sign-in message is not valid',
    '登录消息无效',
    'サインインメッセージが無効です',
    '로그인 메시지가 유효하지 않습니다',
  ),
  NONCE_INVALID: message(
    400,
    'This sign-in has expired, please try again',
    '登录请求已过期，请重试',
    'サインインの有効期限が切れました。もう一度お試しください',
    '로그인 요청이 만료되었습니다. 다시 시도하세요',
  ),
  TERMS_OUTDATED: message(
    409,
    'The terms have changed since this page was opened: reload it and read the new version',
    '自打开此页面后，条款已有更新：请重新加载并阅读新版本',
    'このページを開いた後に規約が改定されました。再読み込みして新しい版をお読みください',
    '이 페이지를 연 뒤에 약관이 변경되었습니다. 새로고침하여 새 버전을 읽어 주세요',
  ),
  TERMS_NOT_ACCEPTED: message(
    403,
    'You signed in only to take out what is yours. Accept the terms to do this',
    '您登录仅为取出属于自己的资产。如需进行此操作，请先接受条款',
    'ご自身の資産を引き出すためだけにサインインしています。この操作には規約への同意が必要です',
    '본인의 자산을 찾기 위해서만 로그인했습니다. 이 작업을 하려면 약관에 동의하세요',
  ),
  MESSAGE_OLD: message(
    409,
    'This message is too old or was received before',
    '此消息已过时或已收到过',
    'このメッセージは古すぎるか、すでに受信済みです',
    '이 메시지는 너무 오래되었거나 이미 수신되었습니다',
  ),
  SIGNATURE_INVALID: message(
    400,
    'The signature does not match the wallet',
    '签名与钱包不符',
    '署名がウォレットと一致しません',
    '서명이 지갑과 일치하지 않습니다',
  ),
} as const satisfies ErrorMessages
