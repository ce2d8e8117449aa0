import { ALL_WEEKDAYS, type FundTerms, parseMicros } from '@rif/rules'
import type { Texts } from '../../modules/fund/fund.service.ts'

/** A product of the demonstration, and the value of its investments over the weeks of a year. */
export interface DemoProduct {
  readonly name: string
  readonly introduction: Texts
  readonly riskLevel: number
  readonly estimatedAnnualReturnPpm: number
  readonly terms: FundTerms
  readonly openingMicros: bigint
  /** The value in a week, 0 to 52, of an investment made in week 0, in millionths. It rises and falls. */
  readonly courseOf: (week: number) => bigint
}

/** A trend over the year and a swing, both in thousandths of the start. */
function course(trend: number, swing: number, waves: number): DemoProduct['courseOf'] {
  return (week) => {
    const part = week / 52
    const thousandths = 1_000 + trend * part + swing * Math.sin(2 * Math.PI * waves * part)
    return BigInt(Math.round(thousandths * 1_000))
  }
}

const fees = { subscriptionPpm: 5_000, redemptionPpm: 5_000, managementPpm: 100_000 }

export const PRODUCTS: readonly DemoProduct[] = [
  {
    name: 'RIF Rental Income',
    introduction: {
      en: 'Flats and shops that are let. The rent that comes in is the income of the fund; prices of buildings move slowly.',
      'zh-Hans': '持有出租的住宅与商铺。收到的租金即为基金收入，房产价格变动缓慢。',
      ja: '賃貸中の住宅と店舗に投資します。受け取る家賃がファンドの収入で、不動産価格の動きは緩やかです。',
      ko: '임대 중인 주택과 상가에 투자합니다. 들어오는 임대료가 펀드의 수입이며, 부동산 가격은 천천히 움직입니다.',
    },
    riskLevel: 2,
    estimatedAnnualReturnPpm: 45_000,
    terms: { ...fees, minimumMicros: parseMicros('10'), lockDays: 0, redeemableWeekdays: ALL_WEEKDAYS },
    openingMicros: parseMicros('10'),
    courseOf: course(42, 4, 2),
  },
  {
    name: 'RIF Trade Finance',
    introduction: {
      en: 'Short loans to exporters against goods on their way. Earns interest; a default costs part of a loan.',
      'zh-Hans': '以在途货物为担保向出口商提供短期贷款。赚取利息；若发生违约，会损失部分贷款。',
      ja: '輸送中の貨物を担保に輸出業者へ短期融資を行います。利息を得ますが、債務不履行の際は融資の一部を失います。',
      ko: '운송 중인 화물을 담보로 수출업자에게 단기 대출을 합니다. 이자를 얻지만 부도가 나면 대출 일부를 잃습니다.',
    },
    riskLevel: 3,
    estimatedAnnualReturnPpm: 70_000,
    terms: { ...fees, minimumMicros: parseMicros('50'), lockDays: 30, redeemableWeekdays: [1, 2, 3, 4, 5] },
    openingMicros: parseMicros('25'),
    courseOf: course(58, 14, 3),
  },
  {
    name: 'RIF New Energy',
    introduction: {
      en: 'Shares in companies that build storage and grids. Rises and falls strongly; meant for years.',
      'zh-Hans': '投资于建设储能与电网的公司股份。涨跌幅度大，适合长期持有。',
      ja: '蓄電設備や送電網を建設する企業の株式に投資します。値動きが大きく、長期の保有に向きます。',
      ko: '저장 설비와 전력망을 짓는 기업의 주식에 투자합니다. 등락이 크며 여러 해 보유하기에 알맞습니다.',
    },
    riskLevel: 5,
    estimatedAnnualReturnPpm: 120_000,
    terms: { ...fees, minimumMicros: parseMicros('100'), lockDays: 90, redeemableWeekdays: [5] },
    openingMicros: parseMicros('5'),
    courseOf: course(-30, 110, 2),
  },
]

/** Money for purchases, by the week of the year that ends today. */
export const FUND_DEPOSITS = [
  { week: 25, member: 'Finn', amount: '450' },
  { week: 25, member: 'Ann', amount: '150' },
] as const

/** The members' actions in the fund in the weeks before. Redemptions are approved at once. */
export const HISTORY = [
  { week: 26, do: 'buy', member: 'Finn', product: 0, units: 24n },
  { week: 36, do: 'buy', member: 'Ann', product: 0, units: 12n },
  { week: 36, do: 'buy', member: 'Finn', product: 1, units: 6n },
  { week: 41, do: 'redeem', member: 'Ann', product: 0, units: 4n },
  // The redemption waits for cash, which a divestment brings today.
  { week: 51, do: 'redeem', member: 'Finn', product: 0, units: 8n },
] as const

/** Most of a product's cash is invested, and left the bank long ago. */
export const INVESTMENTS = [
  { week: 27, product: 0, amount: '190' },
  { week: 37, product: 0, amount: '95' },
  { week: 37, product: 1, amount: '120' },
] as const

/** The cash that a divestment brings today. */
export const PROCEEDS = { product: 0, amount: '60' } as const

/** The units that are bought today. */
export const HOLDINGS = [
  { member: 'Finn', product: 0, units: 15n },
  { member: 'Ann', product: 0, units: 5n },
  { member: 'Finn', product: 1, units: 4n },
] as const
