import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors while an area is paused or a member is frozen. */
export const GATE_MESSAGES = {
  PAUSED: message(
    409,
    'This is paused for the moment. Balances do not change; please try again later',
    '该功能暂时停用。余额不变，请稍后再试',
    '一時停止中です。残高は変わりません。しばらくしてからお試しください',
    '잠시 중단되었습니다. 잔액은 변하지 않으니 나중에 다시 시도해 주세요',
  ),
  GUARD_CLOSED: message(
    409,
    'Payments are stopped while the books are checked. Vouchers you already have stay valid; please try again later',
    '正在核对账目，资金操作暂停。您已持有的提现凭证仍然有效，请稍后再试',
    '帳簿を確認しているため、資金の移動を停止しています。お持ちの引換証は有効です。しばらくしてからお試しください',
    '장부를 확인하는 동안 자금 이동이 중단됩니다. 이미 받은 출금증은 유효합니다. 나중에 다시 시도해 주세요',
  ),
  AMOUNT_OWED: message(
    409,
    'The chain dropped a payment, so a reward for it that you have used is taken back from your next credits. Until then nothing can be sent or spent',
    '链上撤销了一笔付款，您已使用的相应奖励将从之后的入账中扣回；在此之前无法转出或消费',
    'チェーンで支払いが取り消されたため、ご使用済みの報酬は今後の入金から差し引かれます。それまで送金や利用はできません',
    '체인에서 결제가 취소되어 이미 사용한 보상을 다음 입금에서 차감합니다. 그때까지 송금이나 사용이 불가합니다',
  ),
  MEMBER_FROZEN: message(
    403,
    'This account is frozen. Please contact the operator',
    '该账户已被冻结，请联系运营方',
    'このアカウントは凍結されています。運営にお問い合わせください',
    '이 계정은 동결되었습니다. 운영자에게 문의해 주세요',
  ),
} as const satisfies ErrorMessages
