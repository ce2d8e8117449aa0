import type { PlainPath } from '../../lib/index.ts'
import type { IconName } from '../../ui/index.ts'

/** The operator's pages, in the order of a day's work. */
export const adminAreas = [
  { name: 'analytics', path: '/pages/admin/analytics', icon: 'activity' },
  { name: 'approvals', path: '/pages/admin/approvals', icon: 'check' },
  { name: 'audit', path: '/pages/admin/audit', icon: 'withdraw' },
  { name: 'auditOrder', path: '/pages/admin/auditOrder', icon: 'orders' },
  { name: 'search', path: '/pages/admin/search', icon: 'team' },
  { name: 'rewardDistribution', path: '/pages/admin/rewardDistribution', icon: 'clock' },
  { name: 'distrubutionHash', path: '/pages/admin/distrubutionHash', icon: 'bolt' },
  { name: 'updateFound', path: '/pages/admin/updateFound', icon: 'fund' },
  { name: 'plan', path: '/pages/admin/plan', icon: 'filter' },
  { name: 'roles', path: '/pages/admin/roles', icon: 'shield' },
  { name: 'log', path: '/pages/admin/log', icon: 'book' },
  { name: 'emergency', path: '/pages/admin/emergency', icon: 'warn' },
] as const satisfies readonly { name: string; path: PlainPath; icon: IconName }[]
