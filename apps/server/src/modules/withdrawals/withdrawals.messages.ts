import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The errors of withdrawals. */
export const WITHDRAWALS_MESSAGES = {
  WITHDRAWAL_NOT_FOUND: message(
    404,
    'Withdrawal not found',
    '未找到提现记录',
    '出金が見つかりません',
    '출금 내역을 찾을 수 없습니다',
  ),
  CLAIM_STILL_VALID: message(
    409,
    'The last claim can still be paid. Please try again once its expiry is final on the blockchain',
    '上一个领取凭证仍可能被支付，请等其到期在区块链上最终确认后再试',
    '前回の受取証がまだ支払われる可能性があります。期限がチェーン上で確定してからお試しください',
    '이전 수령 증서가 아직 지급될 수 있습니다. 만료가 블록체인에서 확정된 뒤 다시 시도해 주세요',
  ),
  CLAIM_NOT_FINAL_YET: message(
    409,
    'The payments behind this withdrawal are not final on Ethereum yet; please try again later',
    '此提现所依据的付款尚未在以太坊上最终确认，请稍后再试',
    'この出金のもとになった支払いはイーサリアム上でまだ確定していません。しばらくしてからお試しください',
    '이 출금의 근거가 된 결제가 아직 이더리움에서 최종 확정되지 않았습니다. 잠시 후 다시 시도해 주세요',
  ),
  NOTHING_TO_CLAIM: message(
    409,
    'There is nothing to claim',
    '没有可领取的内容',
    '受け取れるものがありません',
    '수령할 항목이 없습니다',
  ),
  AMOUNT_NOT_ABOVE_FEE: message(
    400,
    'The amount must be larger than the fee',
    '金额必须大于手续费',
    '金額は手数料より大きくなければなりません',
    '금액은 수수료보다 커야 합니다',
  ),
} as const satisfies ErrorMessages
