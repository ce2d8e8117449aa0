import type { MemberWish, OneWayWish } from '@rif/rules'
import { formatExact, showModal, t } from '../lib/index.ts'
import { FlowError } from './provider.ts'

/**
 * Shows what is given and got, in the member's language, before the wallet shows it in English. Does nothing
 * for requests whose page has a sheet of its own. Throws `FlowError` if the member declines.
 */
export async function explainConsent(wish: MemberWish): Promise<void> {
  const content = textOf(wish)
  if (content === null) return
  const agreed = await showModal({
    title: t('wallet.consent.title'),
    content: `${content}\n\n${t('wallet.consent.why')}`,
    confirmText: t('wallet.consent.sign'),
  })
  if (!agreed) throw new FlowError('rejected')
}

/** Returns the sentence of a move that cannot be taken back at the same worth; null for other requests. */
export function textOf(wish: MemberWish): string | null {
  switch (wish.kind) {
    case 'conversion': {
      const gives = sum(wish.pays, wish.from)
      return t('wallet.consent.conversion', { gives, gets: sum(wish.receives, wish.to) })
    }
    case 'fund_purchase': {
      const { product, units } = wish
      const [gives, fee] = [sum(wish.total, 'USDT'), sum(wish.fee, 'USDT')]
      return t('wallet.consent.fund_purchase', { gives, fee, units, product })
    }
    case 'savings_in':
      return t('wallet.consent.savings_in', { gives: sum(wish.amount, wish.asset) })
    case 'standing_savings': {
      const gives = sum(wish.amount, wish.asset)
      return t('wallet.consent.standing_savings', { gives, rhythm: rhythmOf(wish) })
    }
    case 'vc_subscription':
      return t('wallet.consent.vc_subscription', { gives: sum(wish.amount, 'VC'), launch: wish.launch })
    default:
      return null
  }
}

const sum = (amount: string, asset: string) => `${formatExact(amount)} ${asset}`

function rhythmOf({ every, onDay }: Extract<OneWayWish, { kind: 'standing_savings' }>): string {
  const weekday = t('savings.standing.weekday', { day: `${onDay}` })
  return t(`savings.standing.rhythm.${every}`, { day: onDay, weekday })
}
