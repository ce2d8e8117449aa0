import type { Locale } from '@rif/api-schema'

const FALLBACK: Locale = 'en'

/**
 * Returns the product's language for an Accept-Language header (RFC 9110 section 12.5.4): the supported one
 * with the highest weight, the first on a tie. Any language with "zh" is Simplified Chinese; unsupported
 * languages give English.
 */
export function localeOf(acceptLanguage: string | undefined): Locale {
  if (acceptLanguage === undefined) return FALLBACK
  let best: Locale = FALLBACK
  let bestWeight = 0
  for (const range of acceptLanguage.slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const quality = parameters.map((text) => text.trim()).find((text) => text.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    const locale = supported(tag.trim().toLowerCase())
    if (locale !== undefined && weight > bestWeight) {
      best = locale
      bestWeight = weight
    }
  }
  return best
}

function supported(tag: string): Locale | undefined {
  if (tag.includes('zh')) return 'zh-Hans'
  const language = tag.split('-')[0]
  return language === 'en' || language === 'ja' || language === 'ko' ? language : undefined
}
