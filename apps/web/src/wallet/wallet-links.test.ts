import { describe, expect, it } from 'vitest'
import { isPhone, linkTarget, walletLinks } from './wallet-links.tsx'

const url = 'https://rif.example/pages/login/index?code=AB12&side=left'

describe('walletLinks', () => {
  it('carry the whole address to each wallet', () => {
    const links = Object.fromEntries(walletLinks(url).map(({ id, href }) => [id, new URL(href)]))
    expect(links.metamask?.href).toBe(
      'https://link.metamask.io/dapp/rif.example/pages/login/index?code=AB12&side=left',
    )
    expect(links.trust?.searchParams.get('url')).toBe(url)
    expect(links.coinbase?.searchParams.get('cb_url')).toBe(url)
    const okx = new URL(links.okx?.searchParams.get('deeplink') ?? '')
    expect([okx.protocol, okx.searchParams.get('dappUrl')]).toEqual(['okx:', url])
  })
})

describe('linkTarget', () => {
  const invite = { code: 'XY', side: 'right' }

  it('adds the stored invitation to the login page, and nothing to others', () => {
    expect(linkTarget({ href: 'https://rif.example/pages/login/index' }, invite)).toBe(
      'https://rif.example/pages/login/index?code=XY&side=right',
    )
    expect(linkTarget({ href: url }, invite)).toBe(url)
    expect(linkTarget({ href: 'https://rif.example/pages/shop/index' }, invite)).toBe(
      'https://rif.example/pages/shop/index',
    )
  })
})

describe('isPhone', () => {
  it("uses the browser's own description", () => {
    expect(isPhone({ userAgent: '', userAgentData: { mobile: true } })).toBe(true)
    expect(isPhone({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' })).toBe(true)
    expect(isPhone({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })).toBe(false)
  })
})
