import type { ErrorCode, Locale } from '@rif/api-schema'

/** The response to a refusal: its HTTP status and its text in every language of the product. */
export interface ErrorMessage extends Readonly<Record<Locale, string>> {
  readonly status: number
}

/** A status, and the text in English, Chinese, Japanese and Korean. */
export const message = (status: number, en: string, zh: string, ja: string, ko: string): ErrorMessage => ({
  status,
  en,
  'zh-Hans': zh,
  ja,
  ko,
})

/** The texts of some errors. */
export type ErrorMessages = Partial<Readonly<Record<ErrorCode, ErrorMessage>>>

/** The errors that any module may throw. */
export const COMMON_MESSAGES = {
  INVALID_AMOUNT: message(
    400,
    'Please enter a valid amount',
    '请输入有效金额',
    '有効な金額を入力してください',
    '유효한 금액을 입력하세요',
  ),
  ASSET_NOT_ALLOWED: message(
    400,
    'This asset cannot be used here',
    '此处不能使用该资产',
    'この資産はここでは利用できません',
    '여기에서는 사용할 수 없는 자산입니다',
  ),
  PRICE_UNAVAILABLE: message(
    409,
    'No price has been published yet',
    '尚未公布价格',
    '価格がまだ公表されていません',
    '아직 공시된 가격이 없습니다',
  ),
  BELOW_MINIMUM: message(
    400,
    'The amount is below the minimum',
    '金额低于最低限额',
    '金額が最低額を下回っています',
    '금액이 최소 금액보다 적습니다',
  ),
  INSUFFICIENT_BALANCE: message(
    409,
    'The balance is insufficient',
    '余额不足',
    '残高が不足しています',
    '잔액이 부족합니다',
  ),
  DAILY_LIMIT: message(
    409,
    'The daily limit would be exceeded',
    '超出每日限额',
    '1日の上限を超えます',
    '일일 한도를 초과합니다',
  ),
  NOTHING_TO_CANCEL: message(
    409,
    'There is nothing to cancel',
    '没有可取消的内容',
    '取り消せるものがありません',
    '취소할 항목이 없습니다',
  ),
  INVALID_ADDRESS: message(
    400,
    'Invalid address',
    '地址无效',
    '無効なアドレスです',
    '유효하지 않은 주소입니다',
  ),
  WRONG_CHAIN: message(
    400,
    'Please switch the wallet to the right network',
    '请将钱包切换到正确的网络',
    'ウォレットを正しいネットワークに切り替えてください',
    '지갑을 올바른 네트워크로 전환하세요',
  ),
  CHAIN_UNAVAILABLE: message(
    503,
    'The blockchain cannot be reached, please try again later',
    '暂时无法连接区块链，请稍后再试',
    'ブロックチェーンに接続できません。後でもう一度お試しください',
    '블록체인에 연결할 수 없습니다. 나중에 다시 시도하세요',
  ),
  SIGNER_UNAVAILABLE: message(
    503,
    'Payments cannot be signed at the moment. Balances do not change; please try again shortly',
    '暂时无法签署付款。余额不变，请稍后再试',
    '現在、支払いに署名できません。残高は変わりません。しばらくしてからお試しください',
    '현재 결제에 서명할 수 없습니다. 잔액은 변하지 않으니 잠시 후 다시 시도해 주세요',
  ),
  SIGNER_LIMIT: message(
    503,
    'Too much was paid out for the moment. Balances do not change; please try again later',
    '目前付款已达到上限。余额不变，请稍后再试',
    '支払いが一時的に上限に達しました。残高は変わりません。後でもう一度お試しください',
    '지급 한도에 일시적으로 도달했습니다. 잔액은 변하지 않으니 나중에 다시 시도해 주세요',
  ),
  PAID_ON_CHAIN: message(
    409,
    'This is already paid on the blockchain. It will be booked and cannot be cancelled',
    '区块链显示该笔已支付，将会入账，无法取消',
    'ブロックチェーン上ではすでに支払い済みです。記帳されるため取り消せません',
    '블록체인에 이미 지급된 것으로 나타납니다. 곧 기록되며 취소할 수 없습니다',
  ),
  IDEMPOTENCY_CONFLICT: message(
    409,
    'This request was already sent with different contents',
    '该请求已以不同内容提交',
    'このリクエストは別の内容ですでに送信されています',
    '이 요청은 이미 다른 내용으로 전송되었습니다',
  ),
  VALIDATION_FAILED: message(
    400,
    'Please check what you entered',
    '请检查您输入的内容',
    '入力内容をご確認ください',
    '입력 내용을 확인하세요',
  ),
  UNAUTHORIZED: message(
    401,
    'Please log in again',
    '请重新登录',
    'もう一度サインインしてください',
    '다시 로그인하세요',
  ),
  FORBIDDEN: message(403, 'This is not allowed', '没有权限', '許可されていません', '허용되지 않습니다'),
  NOT_FOUND: message(404, 'Not found', '未找到', '見つかりません', '찾을 수 없습니다'),
  METHOD_NOT_ALLOWED: message(
    405,
    'This address does not accept this method',
    '此地址不支持该请求方法',
    'このアドレスではこのメソッドを使えません',
    '이 주소에서는 이 메서드를 쓸 수 없습니다',
  ),
  RATE_LIMITED: message(
    429,
    'Too many requests, please wait a moment',
    '请求过于频繁，请稍候',
    'リクエストが多すぎます。しばらくお待ちください',
    '요청이 너무 많습니다. 잠시 기다려 주세요',
  ),
  TOO_MANY_CALLS: message(
    429,
    'Several of your requests are still being worked on. Please wait for them, then try again',
    '您还有多个请求正在处理。请等待其完成后再试',
    'お客さまのリクエストがまだ処理されています。終わるのを待ってから、もう一度お試しください',
    '보내신 요청 여러 건을 아직 처리하고 있습니다. 끝난 뒤에 다시 시도해 주세요',
  ),
  PAYLOAD_TOO_LARGE: message(
    413,
    'The request is too large',
    '请求内容过大',
    'リクエストが大きすぎます',
    '요청이 너무 큽니다',
  ),
  UNSUPPORTED_MEDIA_TYPE: message(
    415,
    'Send the request as JSON',
    '请以 JSON 格式发送请求',
    'リクエストはJSONで送信してください',
    '요청을 JSON으로 보내세요',
  ),
  TIMEOUT: message(
    503,
    'This took too long, please try again',
    '操作超时，请重试',
    '時間がかかりすぎました。もう一度お試しください',
    '시간이 초과되었습니다. 다시 시도하세요',
  ),
  UNAVAILABLE: message(
    503,
    'The service is busy, please try again in a moment',
    '服务繁忙，请稍后重试',
    'ただいま混み合っています。少し待ってからもう一度お試しください',
    '지금은 이용이 많습니다. 잠시 후 다시 시도하세요',
  ),
  INTERNAL: message(
    500,
    'Something went wrong, please try again later',
    '出现错误，请稍后再试',
    'エラーが発生しました。後でもう一度お試しください',
    '오류가 발생했습니다. 나중에 다시 시도하세요',
  ),
} as const satisfies ErrorMessages
