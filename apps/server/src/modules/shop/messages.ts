import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The errors of packages and their orders. */
export const SHOP_MESSAGES = {
  PACKAGE_NOT_FOUND: message(
    404,
    'Package not found',
    '未找到该套餐',
    'パッケージが見つかりません',
    '패키지를 찾을 수 없습니다',
  ),
  SOLD_OUT: message(
    409,
    'This package is sold out',
    '该套餐已售罄',
    'このパッケージは完売しました',
    '이 패키지는 매진되었습니다',
  ),
  ORDER_NOT_FOUND: message(
    404,
    'Order not found',
    '未找到订单',
    '注文が見つかりません',
    '주문을 찾을 수 없습니다',
  ),
  ORDER_FINAL: message(
    409,
    'Order status cannot be modified',
    '订单状态不可修改',
    '注文の状態は変更できません',
    '주문 상태를 변경할 수 없습니다',
  ),
  ORDER_OPEN: message(
    409,
    'You have an unpaid order for this package. Pay or cancel it first',
    '您已有该套餐的未支付订单，请先支付或取消',
    'このパッケージの未払いの注文があります。先に支払うかキャンセルしてください',
    '이 패키지의 미결제 주문이 있습니다. 먼저 결제하거나 취소하세요',
  ),
  QUOTE_CHANGED: message(
    409,
    'The price has changed. Nothing was ordered. Please check the new amounts',
    '价格已变更，尚未下单，请核对新的金额',
    '価格が変わりました。注文はされていません。新しい金額をご確認ください',
    '가격이 변경되었습니다. 주문되지 않았습니다. 새 금액을 확인하세요',
  ),
  ORDER_EXPIRED: message(
    409,
    'The order has expired',
    '订单已过期',
    '注文の有効期限が切れました',
    '주문이 만료되었습니다',
  ),
  ORDER_BANK_CLOSED: message(
    409,
    'The bank contract of this order is closed. Place a new order',
    '该订单的银行合约已关闭，请重新下单',
    'この注文のバンクコントラクトは閉鎖されました。新しく注文してください',
    '이 주문의 뱅크 컨트랙트는 닫혔습니다. 새로 주문해 주세요',
  ),
  PAYMENT_NOT_FINAL: message(
    409,
    'The payment is not final on L1 yet. Please try again in a few minutes',
    '该付款尚未在 L1 上最终确认，请几分钟后再试',
    'この支払いはまだL1で確定していません。数分後にもう一度お試しください',
    '이 결제가 아직 L1에서 확정되지 않았습니다. 몇 분 후 다시 시도해 주세요',
  ),
} as const satisfies ErrorMessages
