import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of shared links. */
export const SHARES_MESSAGES = {
  SHARES_FULL: message(
    409,
    'You have reached the limit of open links. End one of them first',
    '有效链接数量已达上限。请先停用其中一个',
    '有効なリンクの数が上限に達しています。先に1つ停止してください',
    '사용 중인 링크가 최대 개수에 도달했습니다. 먼저 하나를 끝내세요',
  ),
  // One text for every reason, so that a stranger cannot find out which links existed.
  SHARE_OVER: message(
    404,
    'This link does not exist or has ended',
    '此链接不存在或已失效',
    'このリンクは存在しないか、無効になりました',
    '이 링크는 존재하지 않거나 만료되었습니다',
  ),
} as const satisfies ErrorMessages
