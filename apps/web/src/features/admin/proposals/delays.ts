import type { Translate } from '../../../lib/index.ts'

/** How long after its approval a proposal may take effect, in minutes. */
export const DELAYS = ['0', '60', '1440', '4320'] as const

/** A delay in words; one that no page offers, in minutes. */
export function delayText(t: Translate, minutes: number): string {
  const known = DELAYS.find((delay) => delay === `${minutes}`)
  return known === undefined ? t('admin.minutes', { count: minutes }) : t(`admin.delayOf.${known}`)
}
