import { describe, expect, it } from 'vitest'
import { guard } from './guard.ts'
import { pages } from './pages.ts'

describe('guard', () => {
  it('lets only members past login, except for the three fund pages and public pages', () => {
    const open = Object.keys(pages).filter((path) => guard(path, false) === 'allow')
    const texts = ['my/help', 'my/risk', 'my/terms', 'money-policy', 'solvency', 'earnings', 'help/article']
    const info = [...texts, 'my/stopNotices', 'shared', 'refused', 'admin/emergency']
    const publicNames = ['found/home', 'found/my', 'found/productDetail', 'login/index', ...info]
    expect(publicNames.map((name) => `/pages/${name}`)).toEqual(expect.arrayContaining(open))
    expect(open).toContain('/pages/login/index')
  })

  it('accepts the open names of the specification', () => {
    expect(
      ['/pages/wode/index', '/pages/firstPage/index', '/testWallet'].map((path) => guard(path, false)),
    ).toEqual(['allow', 'allow', 'allow'])
  })

  it('sends a signed-out visitor of any other address to login', () => {
    expect([guard('/nowhere', false), guard('/pages/my/index', false), guard('/', false)]).toEqual([
      'login',
      'login',
      'login',
    ])
  })

  it('sends a member from login home, and shows page-not-found for unknown addresses', () => {
    expect([guard('/pages/login/index', true), guard('/pages/index/index', true)]).toEqual(['home', 'home'])
    expect([guard('/nowhere', true), guard('/pages/my/index', true)]).toEqual(['allow', 'allow'])
  })

  it('limits an admin who is not a member to the operator’s side and public pages', () => {
    const of = (path: string) => guard(path, true, false)
    expect(['/', '/pages/index/index', '/pages/login/index', '/pages/shop/index'].map(of)).toEqual(
      Array(4).fill('admin'),
    )
    expect(['/pages/admin/roles', '/pages/my/selectLan/index', '/pages/my/help', '/nowhere'].map(of)).toEqual(
      Array(4).fill('allow'),
    )
    expect(guard('/pages/admin/roles', false, false)).toBe('login')
  })
})
