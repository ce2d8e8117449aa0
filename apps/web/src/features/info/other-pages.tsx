import { type PlainPath, type TextKey, useTranslation } from '../../lib/index.ts'
import { Card, type IconName, LinkRow, Section } from '../../ui/index.ts'

const PAGES = [
  { name: 'help', to: '/pages/my/help', icon: 'help', title: 'info.help.title' },
  { name: 'risk', to: '/pages/my/risk', icon: 'warn', title: 'info.risk.title' },
  { name: 'terms', to: '/pages/my/terms', icon: 'doc', title: 'info.terms.title' },
  { name: 'earnings', to: '/pages/earnings', icon: 'rewards', title: 'earnings.title' },
  { name: 'money', to: '/pages/money-policy', icon: 'shield', title: 'money.title' },
  { name: 'solvency', to: '/pages/solvency', icon: 'check', title: 'info.solvency' },
] as const satisfies readonly { name: string; to: PlainPath; icon: IconName; title: TextKey }[]

/** The links to the other pages that explain the product; to all of them without a name. */
export function OtherPages({ name }: { name?: (typeof PAGES)[number]['name'] }) {
  const { t } = useTranslation()
  return (
    <Section title={t('info.section')}>
      <Card className="divide-y divide-line py-1">
        {PAGES.filter((page) => page.name !== name).map(({ to, icon, title }) => (
          <LinkRow key={to} to={to} icon={icon} title={t(title)} />
        ))}
      </Card>
    </Section>
  )
}
