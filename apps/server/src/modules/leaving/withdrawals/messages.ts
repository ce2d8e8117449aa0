import { type ErrorMessages, message } from '../../../lib/messages.ts'

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
  CLAIM_NOT_APPROVED: message(
    409,
    'This withdrawal waits for a second approval. We have been told; your balances do not change',
    '此提现正等待第二次批准。我们已收到通知，您的余额不变',
    'この出金は2回目の承認を待っています。担当者に通知済みで、残高は変わりません',
    '이 출금은 두 번째 승인을 기다리고 있습니다. 담당자에게 알렸으며 잔액은 변하지 않습니다',
  ),
  CLAIM_NOT_SIGNED: message(
    409,
    'This withdrawal needs your signature: cancel it and request it again, or try again in 24 hours',
    '此提现需要您的签名：请取消后重新申请，或在24小时后重试',
    'この出金にはあなたの署名が必要です。取り消して申請し直すか、24時間後にお試しください',
    '이 출금에는 본인의 서명이 필요합니다. 취소한 뒤 다시 신청하거나 24시간 뒤에 다시 시도해 주세요',
  ),
  CLAIM_KEY_CHANGING: message(
    503,
    'The key that signs claims is being changed. Balances do not change; claims go on afterwards',
    '签署领取凭证的密钥正在更换。余额不变，更换完成后即可继续领取',
    '受取に署名する鍵を交換しています。残高は変わらず、交換が終わると受け取れるようになります',
    '수령에 서명하는 키를 교체하고 있습니다. 잔액은 변하지 않으며 교체가 끝나면 수령할 수 있습니다',
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
    'The amount, less what is a free refund, must be larger than the fee',
    '扣除免费退款后的金额必须大于手续费',
    '無料の返金分を除いた金額は手数料より大きくなければなりません',
    '무료 환불분을 뺀 금액은 수수료보다 커야 합니다',
  ),
} as const satisfies ErrorMessages
