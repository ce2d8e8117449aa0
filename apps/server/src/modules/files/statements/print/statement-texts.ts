import type { Locale } from '@rif/api-schema'

/** The words of a printed statement. */
export interface StatementTexts {
  readonly account: string
  readonly tax: string
  readonly trial_balance: string
  readonly customer: string
  readonly member: string
  readonly range: string
  readonly madeAt: string
  readonly number: string
  readonly date: string
  readonly what: string
  readonly who: string
  readonly place: string
  readonly asset: string
  readonly amount: string
  readonly balance: string
  readonly quantity: string
  readonly price: string
  readonly value: string
  readonly cost: string
  readonly gain: string
  readonly debit: string
  readonly credit: string
  readonly ledgerAccount: string
  readonly opening: string
  readonly entries: string
  readonly closing: string
  readonly ledger: string
  readonly sums: string
  readonly agrees: string
  readonly reward: string
  readonly acquired: string
  readonly disposed: string
  readonly moved_in: string
  readonly moved_out: string
  readonly sum_rewards: string
  readonly sum_disposed: string
  readonly held: string
  readonly sum: string
  readonly nothing: string
  readonly method: string
  readonly advice: string
  readonly unknown: string
}

export const STATEMENT_TEXTS: Readonly<Record<Locale, StatementTexts>> = {
  en: {
    account: 'Account statement',
    tax: 'Tax file',
    trial_balance: 'Trial balance',
    customer: 'Account statement',
    member: 'Member',
    range: 'Days (UTC)',
    madeAt: 'Made at',
    number: 'Statement',
    date: 'Date (UTC)',
    what: 'What',
    who: 'From or to',
    place: 'Account',
    asset: 'Asset',
    amount: 'Amount',
    balance: 'Balance',
    quantity: 'Quantity',
    price: 'Price',
    value: 'Value',
    cost: 'Cost',
    gain: 'Gain',
    debit: 'Debit',
    credit: 'Credit',
    ledgerAccount: 'Account',
    opening: 'Opening balances',
    entries: 'Entries',
    closing: 'Closing balances',
    ledger: 'Balance of the ledger',
    sums: 'Sums of the year',
    agrees: 'Opening balances and entries add up to the closing balances of the ledger.',
    reward: 'Reward',
    acquired: 'Acquired',
    disposed: 'Disposed of',
    moved_in: 'Moved in',
    moved_out: 'Moved out',
    sum_rewards: 'Rewards',
    sum_disposed: 'Disposed of',
    held: 'Held',
    sum: 'Sum',
    nothing: 'No entries on these days.',
    method:
      'Method: FIFO, first in, first out by UTC day. Values in USDT at the price of the day: the one that its settlement fixed, else the last one published. What is moved in or out leaves at cost and makes no gain.',
    advice: 'This is no tax advice. Take the file to a tax adviser.',
    unknown: 'no price',
  },
  'zh-Hans': {
    account: '账户对账单',
    tax: '税务文件',
    trial_balance: '试算平衡表',
    customer: '账户对账单',
    member: '会员',
    range: '日期 (UTC)',
    madeAt: '生成时间',
    number: '编号',
    date: '日期 (UTC)',
    what: '事项',
    who: '来源或去向',
    place: '账户',
    asset: '资产',
    amount: '金额',
    balance: '余额',
    quantity: '数量',
    price: '价格',
    value: '价值',
    cost: '成本',
    gain: '损益',
    debit: '借方',
    credit: '贷方',
    ledgerAccount: '账户',
    opening: '期初余额',
    entries: '明细',
    closing: '期末余额',
    ledger: '账本余额',
    sums: '年度合计',
    agrees: '期初余额加明细等于账本的期末余额。',
    reward: '奖励',
    acquired: '取得',
    disposed: '处置',
    moved_in: '转入',
    moved_out: '转出',
    sum_rewards: '奖励',
    sum_disposed: '处置',
    held: '持有',
    sum: '合计',
    nothing: '这些日期没有明细。',
    method:
      '方法：先进先出 (FIFO)，按 UTC 日计算。价值以 USDT 计，按当日价格：优先采用当日结算确定的价格，否则采用最后公布的价格。转入或转出按成本计算，不产生损益。',
    advice: '本文件不构成税务建议。请咨询税务顾问。',
    unknown: '无价格',
  },
  ja: {
    account: '口座明細書',
    tax: '税務ファイル',
    trial_balance: '試算表',
    customer: '口座明細書',
    member: '会員',
    range: '期間 (UTC)',
    madeAt: '作成日時',
    number: '番号',
    date: '日時 (UTC)',
    what: '内容',
    who: '相手先',
    place: '口座',
    asset: '資産',
    amount: '金額',
    balance: '残高',
    quantity: '数量',
    price: '価格',
    value: '価額',
    cost: '取得原価',
    gain: '損益',
    debit: '借方',
    credit: '貸方',
    ledgerAccount: '勘定',
    opening: '期首残高',
    entries: '明細',
    closing: '期末残高',
    ledger: '帳簿の残高',
    sums: '年間合計',
    agrees: '期首残高と明細の合計は、帳簿の期末残高と一致します。',
    reward: '報酬',
    acquired: '取得',
    disposed: '処分',
    moved_in: '移入',
    moved_out: '移出',
    sum_rewards: '報酬',
    sum_disposed: '処分',
    held: '保有',
    sum: '合計',
    nothing: 'この期間の明細はありません。',
    method:
      '方法：先入先出法 (FIFO)、UTC の日ごと。価額はその日の価格で USDT 換算：その日の決算が定めた価格、なければ最後に公表された価格。移入・移出は原価で扱い、損益は生じません。',
    advice: 'これは税務上の助言ではありません。税理士にご相談ください。',
    unknown: '価格なし',
  },
  ko: {
    account: '계좌 명세서',
    tax: '세무 파일',
    trial_balance: '시산표',
    customer: '계좌 명세서',
    member: '회원',
    range: '기간 (UTC)',
    madeAt: '작성 시각',
    number: '번호',
    date: '일시 (UTC)',
    what: '내용',
    who: '상대',
    place: '계정',
    asset: '자산',
    amount: '금액',
    balance: '잔액',
    quantity: '수량',
    price: '가격',
    value: '가액',
    cost: '원가',
    gain: '손익',
    debit: '차변',
    credit: '대변',
    ledgerAccount: '계정',
    opening: '기초 잔액',
    entries: '내역',
    closing: '기말 잔액',
    ledger: '장부 잔액',
    sums: '연간 합계',
    agrees: '기초 잔액과 내역의 합은 장부의 기말 잔액과 같습니다.',
    reward: '보상',
    acquired: '취득',
    disposed: '처분',
    moved_in: '들어옴',
    moved_out: '나감',
    sum_rewards: '보상',
    sum_disposed: '처분',
    held: '보유',
    sum: '합계',
    nothing: '이 기간에 내역이 없습니다.',
    method:
      '방법: 선입선출(FIFO), UTC 날짜 기준. 가액은 그날의 가격으로 계산한 USDT: 그날 정산이 정한 가격, 없으면 마지막으로 공시된 가격. 들어오거나 나간 것은 원가로 처리하며 손익이 없습니다.',
    advice: '이 파일은 세무 조언이 아닙니다. 세무 전문가와 상담하세요.',
    unknown: '가격 없음',
  },
}
