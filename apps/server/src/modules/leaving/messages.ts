import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The errors of movements that leave a member. */
export const LEAVING_MESSAGES = {
  SIGNATURE_REQUIRED: message(
    428,
    'Your wallet must sign this request',
    '此请求需要您的钱包签名',
    'このリクエストにはウォレットの署名が必要です',
    '이 요청에는 지갑 서명이 필요합니다',
  ),
  ADDRESS_NOT_SAVED: message(
    403,
    'Only your saved addresses can be used, and this is not one of them',
    '您只允许使用已保存的地址，而此地址未保存',
    '保存済みアドレスのみ使用できます。このアドレスは保存されていません',
    '저장된 주소만 사용할 수 있습니다. 이 주소는 저장되어 있지 않습니다',
  ),
  ADDRESS_TOO_NEW: message(
    403,
    'This address was saved recently and cannot be used yet',
    '此地址刚刚保存，暂时不能使用',
    'このアドレスは保存されたばかりのため、まだ使用できません',
    '이 주소는 최근에 저장되어 아직 사용할 수 없습니다',
  ),
  CONTACTS_FULL: message(
    409,
    'Your address book is full',
    '地址簿已满',
    'アドレス帳がいっぱいです',
    '주소록이 가득 찼습니다',
  ),
} as const satisfies ErrorMessages
