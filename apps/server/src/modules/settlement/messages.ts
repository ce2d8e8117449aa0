import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The errors of settlement and its rewards. */
export const SETTLEMENT_MESSAGES = {
  DAY_NOT_ENDED: message(
    409,
    'The day has not ended yet',
    '该日尚未结束',
    'その日はまだ終わっていません',
    '아직 하루가 끝나지 않았습니다',
  ),
  DAY_NOT_FINAL: message(
    409,
    'Payments of this day are not final on L1 yet. Please try again in a few minutes',
    '该日的付款尚未在 L1 上最终确认，请几分钟后再试',
    'この日の支払いはまだL1で確定していません。数分後にもう一度お試しください',
    '이 날의 결제가 아직 L1에서 확정되지 않았습니다. 몇 분 후 다시 시도해 주세요',
  ),
  MONTH_NOT_ENDED: message(
    409,
    'The month has not ended yet',
    '该月尚未结束',
    'その月はまだ終わっていません',
    '아직 달이 끝나지 않았습니다',
  ),
  DAY_OUT_OF_ORDER: message(
    409,
    'An earlier day has to be settled first',
    '须先结算更早的日期',
    '先に前の日を決算する必要があります',
    '먼저 이전 날짜를 정산해야 합니다',
  ),
  REWARD_NOT_FOUND: message(
    404,
    'Reward not found',
    '未找到该奖励',
    '報酬が見つかりません',
    '보상을 찾을 수 없습니다',
  ),
} as const satisfies ErrorMessages
