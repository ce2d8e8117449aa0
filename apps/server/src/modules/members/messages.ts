import { type ErrorMessages, message } from '../../lib/messages.ts'

/** The errors of members and invitations. */
export const MEMBERS_MESSAGES = {
  MEMBER_NOT_FOUND: message(
    404,
    'Member not found',
    '未找到该会员',
    '会員が見つかりません',
    '회원을 찾을 수 없습니다',
  ),
  ROOT_EXISTS: message(
    409,
    'The first member already exists',
    '首位会员已存在',
    '最初の会員はすでに存在します',
    '최초 회원이 이미 존재합니다',
  ),
  SPONSOR_NOT_FOUND: message(
    404,
    'Sponsor not found',
    '未找到推荐人',
    '紹介者が見つかりません',
    '추천인을 찾을 수 없습니다',
  ),
  TOO_MANY_LABELS: message(
    409,
    'You have reached the limit of labels and pins. Delete some first',
    '标签和置顶数量已达上限，请先删除一些',
    'ラベルとピンの上限に達しました。先にいくつか削除してください',
    '라벨과 고정 수가 한도에 도달했습니다. 먼저 일부를 삭제하세요',
  ),
  TOO_MANY_NOTES: message(
    409,
    'You have reached the limit of notes. Delete some first',
    '备注数量已达上限，请先删除一些',
    'メモの上限に達しました。先にいくつか削除してください',
    '메모 수가 한도에 도달했습니다. 먼저 일부를 삭제하세요',
  ),
  MEMBER_EXISTS: message(
    409,
    'This wallet is already a member',
    '该钱包已是会员',
    'このウォレットはすでに会員です',
    '이미 회원인 지갑입니다',
  ),
  INVITATION_REQUIRED: message(
    403,
    'An invitation code is needed for the first sign-in',
    '首次登录需要邀请码',
    '初回サインインには招待コードが必要です',
    '첫 로그인에는 초대 코드가 필요합니다',
  ),
  INVITATION_INVALID: message(
    404,
    'This invitation code is not valid',
    '邀请码无效',
    '招待コードが無効です',
    '유효하지 않은 초대 코드입니다',
  ),
} as const satisfies ErrorMessages
