import type { Locale } from '@rif/api-schema'

/** The words of a printed bill. */
export interface BillTexts {
  readonly title: string
  readonly month: string
  readonly member: string
  readonly madeAt: string
  readonly amounts: string
  readonly total: string
  readonly units: string
  readonly nav: string
  readonly value: string
  readonly opening: string
  readonly purchased: string
  readonly redeemed: string
  readonly closing: string
  readonly subscriptionFees: string
  readonly redemptionFees: string
  readonly managementFees: string
  readonly profit: string
  readonly income: string
  readonly incomeMoved: string
  readonly note: string
  readonly checksum: string
}

export const BILL_TEXTS: Readonly<Record<Locale, BillTexts>> = {
  en: {
    title: 'Fund monthly bill',
    month: 'Month',
    member: 'Member',
    madeAt: 'Made at',
    amounts: 'Amounts in USDT, days in UTC',
    total: 'All products',
    units: 'Units',
    nav: 'Unit net value',
    value: 'Value',
    opening: 'Opening',
    purchased: 'Purchased',
    redeemed: 'Redeemed',
    closing: 'Closing',
    subscriptionFees: 'Subscription fees',
    redemptionFees: 'Redemption fees',
    managementFees: 'Management fees',
    profit: 'Profit after all fees',
    income: 'Fund income of the agent line',
    incomeMoved: 'Moved to the balance',
    note: 'Unit net values rise and fall. What was earned in the past promises nothing for the future.',
    checksum: 'Checksum of the figures (SHA-256)',
  },
  'zh-Hans': {
    title: '基金月度账单',
    month: '月份',
    member: '会员',
    madeAt: '生成时间',
    amounts: '金额单位为 USDT，日期为 UTC',
    total: '全部产品',
    units: '份额',
    nav: '单位净值',
    value: '价值',
    opening: '期初',
    purchased: '申购',
    redeemed: '赎回',
    closing: '期末',
    subscriptionFees: '申购费',
    redemptionFees: '赎回费',
    managementFees: '管理费',
    profit: '扣除全部费用后的收益',
    income: '代理线基金收益',
    incomeMoved: '转入余额',
    note: '单位净值有涨有跌。过往业绩不代表未来表现。',
    checksum: '账目校验值 (SHA-256)',
  },
  ja: {
    title: 'ファンド月次明細書',
    month: '対象月',
    member: '会員',
    madeAt: '作成日時',
    amounts: '金額は USDT、日付は UTC',
    total: '全商品',
    units: '口数',
    nav: '基準価額',
    value: '評価額',
    opening: '期首',
    purchased: '購入',
    redeemed: '解約',
    closing: '期末',
    subscriptionFees: '購入手数料',
    redemptionFees: '解約手数料',
    managementFees: '運用報酬',
    profit: '全手数料控除後の損益',
    income: 'エージェントラインのファンド収入',
    incomeMoved: '残高への振替',
    note: '基準価額は変動します。過去の実績は将来の成果を約束するものではありません。',
    checksum: '数値のチェックサム (SHA-256)',
  },
  ko: {
    title: '펀드 월간 명세서',
    month: '대상 월',
    member: '회원',
    madeAt: '작성 시각',
    amounts: '금액은 USDT, 날짜는 UTC 기준',
    total: '전체 상품',
    units: '좌수',
    nav: '기준가',
    value: '평가액',
    opening: '기초',
    purchased: '매수',
    redeemed: '환매',
    closing: '기말',
    subscriptionFees: '매수 수수료',
    redemptionFees: '환매 수수료',
    managementFees: '운용 보수',
    profit: '모든 수수료 차감 후 손익',
    income: '에이전트 라인 펀드 수익',
    incomeMoved: '잔액으로 이체',
    note: '기준가는 오르내립니다. 과거의 수익이 미래를 보장하지 않습니다.',
    checksum: '수치의 체크섬 (SHA-256)',
  },
}
