import type { Locale } from '@rif/api-schema'
import type { Facts, Topic } from './topics.ts'

export interface NoticeText {
  readonly title: string
  readonly body: string
}

/** The facts in the form of a language. */
type Shown = Readonly<Record<string, string>>
type Texts = Readonly<Record<Topic, (facts: Shown) => NoticeText>>

const AMOUNTS = ['amount', 'usdt', 'amc', 'nav'] as const
const DAYS = ['day'] as const
const TIMES = ['at', 'from'] as const

/** Returns the text of a notice in a language, with amounts, days and times as that language writes them. */
export function noticeText(locale: Locale, topic: Topic, facts: Facts): NoticeText {
  return TEXTS[locale][topic](shownIn(locale, facts))
}

function shownIn(locale: Locale, facts: Facts): Shown {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const shown: Record<string, string> = { ...facts }
  for (const name of AMOUNTS) {
    const amount = facts[name]
    // The formatter accepts an exact decimal string, but not an exact number.
    if (amount !== undefined) shown[name] = number.format(amount as Intl.StringNumericLiteral)
  }
  for (const name of DAYS) if (facts[name]) shown[name] = day.format(new Date(facts[name]))
  for (const name of TIMES) if (facts[name]) shown[name] = `${time.format(new Date(facts[name]))} UTC`
  return shown
}

/** The operators' own texts; the facts contain those of the languages in which they wrote one. */
const announced = (locale: Locale) => (f: Shown) => {
  const language = f[`${locale}.title`] === undefined ? 'en' : locale
  return { title: f[`${language}.title`]!, body: f[`${language}.text`]! }
}

const en: Texts = {
  test: () => ({ title: 'Test notice', body: 'Notices from RIFund Portfolio arrive here.' }),
  confirm_email: (f) => ({
    title: `${f.code} is your code`,
    body: `Enter the code ${f.code} on the page “Mail and push” to receive notices at this address. It is valid for 30 minutes. If you did not ask for it, ignore this mail: nothing happens.`,
  }),
  sign_in: (f) => ({
    title: 'New sign-in',
    body: `Your wallet signed in on another device (${f.device}) on ${f.at}. If that was not you, end the session on the page “Devices signed in”.`,
  }),
  email_added: () => ({
    title: 'E-mail address changed',
    body: 'Notices now go to another e-mail address. If that was not you, end all other sessions on the page “Devices signed in”.',
  }),
  email_ended: () => ({
    title: 'E-mail address removed',
    body: 'This account sends no more notices by mail. If that was not you, end all other sessions on the page “Devices signed in”.',
  }),
  push_added: (f) => ({
    title: 'Push notices switched on',
    body: `A browser (${f.device}) now receives notices of your account. If that was not you, remove it on the page “Mail and push”.`,
  }),
  address_saved: (f) => ({
    title: 'Address saved',
    body: `The address ${f.address} was saved in your address book. If that was not you, remove it on the page “Saved addresses”.`,
  }),
  address_removed: (f) => ({
    title: 'Address removed',
    body: `The address ${f.address} was removed from your address book.`,
  }),
  saved_only_on: () => ({
    title: '“Saved addresses only” is on',
    body: 'Withdrawals and transfers now go only to addresses that you saved.',
  }),
  saved_only_off: (f) => ({
    title: '“Saved addresses only” ends',
    body: `The rule “saved addresses only” ends on ${f.from}. If that was not you, switch it on again on the page “Saved addresses”.`,
  }),
  erasure_requested: (f) => ({
    title: 'Erasure of your data requested',
    body: `Your saved addresses, notes, sessions and notices will be erased on ${f.from}. Your money is not touched. If that was not you, cancel it on the page “Your data”.`,
  }),
  claim_ready: (f) => ({
    title: 'Withdrawal ready',
    body: `Your withdrawal of ${f.amount} ${f.asset} can be claimed.`,
  }),
  withdrawal_paid: (f) => ({
    title: 'Withdrawal arrived',
    body: `${f.amount} ${f.asset} of your withdrawal arrived in the wallet ${f.address}.`,
  }),
  withdrawal_rejected: (f) => ({
    title: 'Withdrawal rejected',
    body: `Your withdrawal of ${f.amount} ${f.asset} was rejected. The amount is back in your balance.`,
  }),
  redemption_paid: (f) => ({
    title: 'Redemption paid',
    body: `${f.amount} USDT for ${f.units} units of ${f.product} are in your balance.`,
  }),
  rewards_paid: (f) => ({
    title: `Rewards of ${f.day}`,
    body: `Paid: ${f.usdt} USDT and ${f.amc} AMC. AMC is locked and released in parts.`,
  }),
  nav_published: (f) => ({
    title: `New net value: ${f.product}`,
    body: `After the valuation a unit is worth ${f.nav} USDT.`,
  }),
  plan_published: (f) => ({
    title: 'The plan changes',
    body: `A new version of the plan is in force from ${f.day}.`,
  }),
  announcement: announced('en'),
}

const ja: Texts = {
  test: () => ({ title: 'テスト通知', body: 'RIFund Portfolio の通知はここに届きます。' }),
  confirm_email: (f) => ({
    title: `確認コード: ${f.code}`,
    body: `このアドレスで通知を受け取るには、「メールとプッシュ」ページでコード ${f.code} を入力してください。30 分間有効です。心当たりがない場合は、このメールを無視してください。何も起こりません。`,
  }),
  sign_in: (f) => ({
    title: '新しいサインイン',
    body: `${f.at} に別の端末（${f.device}）でウォレットがサインインしました。心当たりがない場合は、「サインイン中の端末」ページでセッションを終了してください。`,
  }),
  email_added: () => ({
    title: 'メールアドレスが変更されました',
    body: '通知は別のメールアドレスに送られます。心当たりがない場合は、「サインイン中の端末」ページで他のセッションをすべて終了してください。',
  }),
  email_ended: () => ({
    title: 'メールアドレスが削除されました',
    body: 'このアカウントの通知はメールで送られなくなりました。心当たりがない場合は、「サインイン中の端末」ページで他のセッションをすべて終了してください。',
  }),
  push_added: (f) => ({
    title: 'プッシュ通知がオンになりました',
    body: `ブラウザ（${f.device}）がアカウントの通知を受け取ります。心当たりがない場合は、「メールとプッシュ」ページで削除してください。`,
  }),
  address_saved: (f) => ({
    title: 'アドレスが保存されました',
    body: `アドレス ${f.address} がアドレス帳に保存されました。心当たりがない場合は、「保存済みアドレス」ページで削除してください。`,
  }),
  address_removed: (f) => ({
    title: 'アドレスが削除されました',
    body: `アドレス ${f.address} がアドレス帳から削除されました。`,
  }),
  saved_only_on: () => ({
    title: '「保存済みアドレスのみ」がオンです',
    body: '出金と送金は、保存したアドレスにのみ行われます。',
  }),
  saved_only_off: (f) => ({
    title: '「保存済みアドレスのみ」が終了します',
    body:
      '「保存済みアドレスのみ」は ' +
      `${f.from} に終了します。心当たりがない場合は、「保存済みアドレス」ページで再びオンにしてください。`,
  }),
  erasure_requested: (f) => ({
    title: 'データの消去が申請されました',
    body: `保存済みアドレス、メモ、セッション、通知の設定は ${f.from} に消去されます。資産には影響しません。心当たりがない場合は、「あなたのデータ」ページで取り消してください。`,
  }),
  claim_ready: (f) => ({
    title: '出金を受け取れます',
    body: `${f.amount} ${f.asset} の出金を受け取れます。`,
  }),
  withdrawal_paid: (f) => ({
    title: '出金が届きました',
    body: `出金の ${f.amount} ${f.asset} がウォレット ${f.address} に届きました。`,
  }),
  withdrawal_rejected: (f) => ({
    title: '出金が却下されました',
    body: `${f.amount} ${f.asset} の出金が却下されました。金額は残高に戻りました。`,
  }),
  redemption_paid: (f) => ({
    title: '償還金が支払われました',
    body: `${f.product} ${f.units} 口の ${f.amount} USDT が残高に入りました。`,
  }),
  rewards_paid: (f) => ({
    title: `${f.day} の報酬`,
    body: `支払額: ${f.usdt} USDT と ${f.amc} AMC。AMC はロックされ、分割で解放されます。`,
  }),
  nav_published: (f) => ({
    title: `新しい基準価額: ${f.product}`,
    body: `評価後の 1 口の価額は ${f.nav} USDT です。`,
  }),
  plan_published: (f) => ({
    title: 'プランが変わります',
    body: `新しい版のプランが ${f.day} から適用されます。`,
  }),
  announcement: announced('ja'),
}

const ko: Texts = {
  test: () => ({ title: '테스트 알림', body: 'RIFund Portfolio의 알림이 여기로 옵니다.' }),
  confirm_email: (f) => ({
    title: `확인 코드: ${f.code}`,
    body: `이 주소로 알림을 받으려면 ‘메일과 푸시’ 페이지에 코드 ${f.code}을(를) 입력하세요. 30분 동안 유효합니다. 요청하지 않았다면 이 메일을 무시하세요. 아무 일도 일어나지 않습니다.`,
  }),
  sign_in: (f) => ({
    title: '새 로그인',
    body: `${f.at}에 다른 기기(${f.device})에서 지갑으로 로그인했습니다. 본인이 아니라면 ‘로그인된 기기’ 페이지에서 세션을 종료하세요.`,
  }),
  email_added: () => ({
    title: '이메일 주소가 변경되었습니다',
    body: '이제 알림은 다른 이메일 주소로 전송됩니다. 본인이 아니라면 ‘로그인된 기기’ 페이지에서 다른 세션을 모두 종료하세요.',
  }),
  email_ended: () => ({
    title: '이메일 주소가 삭제되었습니다',
    body: '이 계정의 알림은 더 이상 메일로 전송되지 않습니다. 본인이 아니라면 ‘로그인된 기기’ 페이지에서 다른 세션을 모두 종료하세요.',
  }),
  push_added: (f) => ({
    title: '푸시 알림이 켜졌습니다',
    body: `브라우저(${f.device})가 계정의 알림을 받습니다. 본인이 아니라면 ‘메일과 푸시’ 페이지에서 삭제하세요.`,
  }),
  address_saved: (f) => ({
    title: '주소가 저장되었습니다',
    body: `주소 ${f.address}이(가) 주소록에 저장되었습니다. 본인이 아니라면 ‘저장된 주소’ 페이지에서 삭제하세요.`,
  }),
  address_removed: (f) => ({
    title: '주소가 삭제되었습니다',
    body: `주소 ${f.address}이(가) 주소록에서 삭제되었습니다.`,
  }),
  saved_only_on: () => ({
    title: '‘저장된 주소만’이 켜졌습니다',
    body: '이제 출금과 이체는 저장한 주소로만 이루어집니다.',
  }),
  saved_only_off: (f) => ({
    title: '‘저장된 주소만’이 종료됩니다',
    body: `‘저장된 주소만’ 규칙이 ${f.from}에 종료됩니다. 본인이 아니라면 ‘저장된 주소’ 페이지에서 다시 켜세요.`,
  }),
  erasure_requested: (f) => ({
    title: '데이터 삭제가 요청되었습니다',
    body: `저장된 주소, 메모, 세션, 알림 설정이 ${f.from}에 삭제됩니다. 자산에는 영향이 없습니다. 본인이 아니라면 ‘내 데이터’ 페이지에서 취소하세요.`,
  }),
  claim_ready: (f) => ({
    title: '출금 준비 완료',
    body: `${f.amount} ${f.asset} 출금을 청구할 수 있습니다.`,
  }),
  withdrawal_paid: (f) => ({
    title: '출금이 도착했습니다',
    body: `출금 ${f.amount} ${f.asset}이(가) 지갑 ${f.address}에 도착했습니다.`,
  }),
  withdrawal_rejected: (f) => ({
    title: '출금이 거절되었습니다',
    body: `${f.amount} ${f.asset} 출금이 거절되었습니다. 금액은 잔액으로 돌아왔습니다.`,
  }),
  redemption_paid: (f) => ({
    title: '환매 대금 지급',
    body: `${f.product} ${f.units}좌의 ${f.amount} USDT가 잔액에 들어왔습니다.`,
  }),
  rewards_paid: (f) => ({
    title: `${f.day} 보상`,
    body: `지급: ${f.usdt} USDT 및 ${f.amc} AMC. AMC는 잠겨 있으며 나누어 해제됩니다.`,
  }),
  nav_published: (f) => ({
    title: `새 순자산가치: ${f.product}`,
    body: `평가 후 1좌의 가치는 ${f.nav} USDT입니다.`,
  }),
  plan_published: (f) => ({
    title: '플랜이 변경됩니다',
    body: `새 버전의 플랜이 ${f.day}부터 적용됩니다.`,
  }),
  announcement: announced('ko'),
}

const zh: Texts = {
  test: () => ({ title: '测试通知', body: 'RIFund Portfolio 的通知会发送到这里。' }),
  confirm_email: (f) => ({
    title: `验证码：${f.code}`,
    body: `要在此邮箱接收通知，请在“邮件与推送”页面输入验证码 ${f.code}，30 分钟内有效。如果不是您本人操作，请忽略此邮件，不会有任何影响。`,
  }),
  sign_in: (f) => ({
    title: '新的登录',
    body: `您的钱包于 ${f.at} 在另一台设备（${f.device}）上登录。如果不是您本人，请在“登录设备”页面结束该会话。`,
  }),
  email_added: () => ({
    title: '邮箱已更改',
    body: '通知现在发送到另一个邮箱。如果不是您本人，请在“登录设备”页面结束所有其他会话。',
  }),
  email_ended: () => ({
    title: '邮箱已移除',
    body: '此账户不再通过邮件发送通知。如果不是您本人，请在“登录设备”页面结束所有其他会话。',
  }),
  push_added: (f) => ({
    title: '推送通知已开启',
    body: `一个浏览器（${f.device}）现在会接收您账户的通知。如果不是您本人，请在“邮件与推送”页面移除它。`,
  }),
  address_saved: (f) => ({
    title: '地址已保存',
    body: `地址 ${f.address} 已保存到您的地址簿。如果不是您本人，请在“已保存的地址”页面移除它。`,
  }),
  address_removed: (f) => ({
    title: '地址已移除',
    body: `地址 ${f.address} 已从您的地址簿移除。`,
  }),
  saved_only_on: () => ({
    title: '“仅限已保存地址”已开启',
    body: '现在提现和转账只能发往您保存的地址。',
  }),
  saved_only_off: (f) => ({
    title: '“仅限已保存地址”即将关闭',
    body: `“仅限已保存地址”规则将于 ${f.from} 关闭。如果不是您本人，请在“已保存的地址”页面重新开启。`,
  }),
  erasure_requested: (f) => ({
    title: '已申请删除您的数据',
    body: `您保存的地址、备注、登录会话和通知设置将于 ${f.from} 删除。您的资金不受影响。如果不是您本人，请在“您的数据”页面取消。`,
  }),
  claim_ready: (f) => ({
    title: '提现可领取',
    body: `您的 ${f.amount} ${f.asset} 提现可以领取了。`,
  }),
  withdrawal_paid: (f) => ({
    title: '提现已到账',
    body: `您提现的 ${f.amount} ${f.asset} 已到达钱包 ${f.address}。`,
  }),
  withdrawal_rejected: (f) => ({
    title: '提现被拒绝',
    body: `您的 ${f.amount} ${f.asset} 提现被拒绝，金额已退回余额。`,
  }),
  redemption_paid: (f) => ({
    title: '赎回已支付',
    body: `${f.product} ${f.units} 份的 ${f.amount} USDT 已进入您的余额。`,
  }),
  rewards_paid: (f) => ({
    title: `${f.day} 的奖励`,
    body: `已支付：${f.usdt} USDT 和 ${f.amc} AMC。AMC 处于锁定状态，将分批释放。`,
  }),
  nav_published: (f) => ({
    title: `新的净值：${f.product}`,
    body: `估值后每份价值 ${f.nav} USDT。`,
  }),
  plan_published: (f) => ({
    title: '方案变更',
    body: `新版方案自 ${f.day} 起生效。`,
  }),
  announcement: announced('zh-Hans'),
}

const TEXTS: Readonly<Record<Locale, Texts>> = { en, ja, ko, 'zh-Hans': zh }

/** The footer of each mail. */
export const MAIL_WORDS: Readonly<
  Record<Locale, { open: string; stop: string; stopAll: string; promise: string }>
> = {
  en: {
    open: 'See it in the app:',
    stop: 'No more mails of this kind:',
    stopAll: 'No more mails to this address:',
    promise: 'We never ask for a recovery phrase, and no link of ours asks you to sign or to pay.',
  },
  ja: {
    open: 'アプリで見る:',
    stop: 'この種類のメールを停止:',
    stopAll: 'このアドレスへのメールを停止:',
    promise: 'リカバリーフレーズをお尋ねすることはありません。署名や支払いを求めるリンクも送りません。',
  },
  ko: {
    open: '앱에서 보기:',
    stop: '이 종류의 메일 그만 받기:',
    stopAll: '이 주소로 메일 그만 받기:',
    promise: '복구 문구를 묻지 않으며, 서명이나 결제를 요구하는 링크를 보내지 않습니다.',
  },
  'zh-Hans': {
    open: '在应用中查看：',
    stop: '不再接收此类邮件：',
    stopAll: '此邮箱不再接收邮件：',
    promise: '我们绝不会索要助记词，也不会发送要求签名或付款的链接。',
  },
}
