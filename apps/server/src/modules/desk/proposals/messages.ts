import { type ErrorMessages, message } from '../../../lib/messages.ts'

/** The errors of proposals. */
export const PROPOSAL_MESSAGES = {
  NOTHING_TO_REVIEW: message(
    409,
    'There is nothing to review',
    '没有待审核的内容',
    '審査対象がありません',
    '심사할 항목이 없습니다',
  ),
  PROPOSAL_OPEN: message(
    409,
    'A proposal for this is already waiting',
    '已有一项相同的提案等待处理',
    '同じ内容の提案がすでに承認待ちです',
    '같은 내용의 제안이 이미 대기 중입니다',
  ),
  PROPOSAL_CHANGED: message(
    409,
    'What this proposal would change is no longer as it was shown. Please prepare it again',
    '提案所涉及的内容已发生变化，请重新准备',
    '提案の内容が表示時から変わりました。もう一度作成してください',
    '제안 내용이 표시된 때와 달라졌습니다. 다시 작성해 주세요',
  ),
  PROPOSAL_FINAL: message(
    409,
    'This proposal has been decided or has expired',
    '该提案已处理或已过期',
    'この提案は決定済みか期限切れです',
    '이 제안은 이미 결정되었거나 만료되었습니다',
  ),
  OWN_PROPOSAL: message(
    403,
    'Somebody else must decide on this',
    '此事项必须由其他人审批',
    '別の人が判断する必要があります',
    '다른 사람이 결정해야 합니다',
  ),
  NOT_READY_TO_OPEN: message(
    409,
    'The product cannot be opened yet. Missing: {missing}',
    '尚不能开放产品。缺少：{missing}',
    'まだ公開できません。不足: {missing}',
    '아직 제품을 열 수 없습니다. 누락: {missing}',
  ),
  LAST_OWNER: message(
    409,
    'Two owners must remain',
    '必须至少保留两位所有者',
    'オーナーは2人以上必要です',
    '소유자는 두 명 이상이어야 합니다',
  ),
  PERSON_ON_RECORD: message(
    409,
    'This name looks like that of a person on record: choose that person, or add what tells them apart',
    '该姓名与已登记人员的姓名相似：请选择该人员，或加上可区分的内容',
    'この名前は登録済みの人の名前と紛らわしいものです。その人を選ぶか、区別できる語を加えてください',
    '이 이름은 등록된 사람의 이름과 비슷합니다. 그 사람을 선택하거나 구별되는 말을 덧붙이세요',
  ),
  WALLET_OF_ANOTHER: message(
    409,
    'This wallet belongs to another person on record, and never changes its person',
    '该钱包属于另一位已登记人员，且不能改归他人',
    'このウォレットは登録済みの別の人のもので、持ち主は変更できません',
    '이 지갑은 등록된 다른 사람의 것이며, 지갑의 소유자는 바뀌지 않습니다',
  ),
  NOT_REVERSIBLE: message(
    409,
    'A transaction of this kind cannot be reversed by itself',
    '此类交易不能单独冲正',
    'この種類の取引は単独で取り消せません',
    '이 종류의 거래는 따로 취소할 수 없습니다',
  ),
} as const satisfies ErrorMessages
