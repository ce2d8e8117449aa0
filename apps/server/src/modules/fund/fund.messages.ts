import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The refusals of the fund. */
export const FUND_MESSAGES = {
  PRODUCT_NOT_FOUND: message(
    404,
    'Fund product not found',
    '未找到该基金产品',
    'ファンド商品が見つかりません',
    '펀드 상품을 찾을 수 없습니다',
  ),
  PRODUCT_EXISTS: message(
    409,
    'A fund product of this name exists already',
    '同名基金产品已存在',
    '同じ名前のファンド商品が既にあります',
    '같은 이름의 펀드 상품이 이미 있습니다',
  ),
  PRODUCT_CLOSED: message(
    409,
    'This fund product is closed to new purchases',
    '该基金产品已停止申购',
    'このファンド商品は新規購入を停止しています',
    '이 펀드 상품은 신규 매수가 중단되었습니다',
  ),
  UNITS_NOT_REDEEMABLE: message(
    409,
    'These units cannot be redeemed now',
    '这些份额目前不可赎回',
    'この口数は現在換金できません',
    '이 좌수는 지금 환매할 수 없습니다',
  ),
  NAV_NOT_BACKED: message(
    409,
    'This net value is not backed by the attested assets',
    '该净值没有足够的已证明资产支持',
    'この基準価額は証明済み資産で裏付けられていません',
    '이 기준가는 증명된 자산으로 뒷받침되지 않습니다',
  ),
  NAV_STALE: message(
    409,
    'The unit net value is more than 3 days old. Buying and redeeming go on with the next one',
    '单位净值已超过3天未更新，待新净值公布后可继续申购和赎回',
    '基準価額が3日以上更新されていません。次の公表後に購入・換金を再開できます',
    '기준가가 3일 넘게 갱신되지 않았습니다. 새 기준가가 공시되면 매수와 환매를 다시 할 수 있습니다',
  ),
  NAV_CHANGED: message(
    409,
    'The unit net value has changed. Please check the new amounts',
    '单位净值已变更，请核对新的金额',
    '基準価額が変わりました。新しい金額をご確認ください',
    '기준가가 변경되었습니다. 새 금액을 확인하세요',
  ),
  REDEMPTION_NOT_FOUND: message(
    404,
    'Redemption not found',
    '未找到该赎回申请',
    '換金申込が見つかりません',
    '환매 신청을 찾을 수 없습니다',
  ),
  REDEMPTION_FINAL: message(
    409,
    'This redemption can no longer be changed',
    '该赎回申请已无法更改',
    'この換金申込はもう変更できません',
    '이 환매 신청은 더 이상 변경할 수 없습니다',
  ),
  BILL_NOT_FOUND: message(
    404,
    'There is no bill for this month',
    '该月没有账单',
    'この月の明細書はありません',
    '이 달의 명세서가 없습니다',
  ),
} as const satisfies ErrorMessages
