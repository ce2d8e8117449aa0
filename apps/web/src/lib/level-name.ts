import type { Translate } from './i18n.ts'

/** The names of VIP 1 to 5, by the keys of the specification, section 9. */
const NAMES = ['list_vip0', 'list_vip1', 'list_vip2', 'list_vip3', 'list_vip4'] as const

/** Returns the name of a level: "VIP 3", or "No level yet" before the first package. A level that no plan has gets the first name. */
export function levelName(t: Translate, level: number): string {
  return level === 0 ? t('my.noLevel') : t(`vip.${NAMES[level - 1] ?? NAMES[0]}`)
}
