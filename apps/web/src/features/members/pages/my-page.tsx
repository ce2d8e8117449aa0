import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  LANGUAGE_OPTIONS,
  setTheme,
  THEMES,
  useAppConfig,
  useLanguageOption,
  usePlan,
  useTheme,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AreaGrid,
  Button,
  Card,
  Later,
  LinkRow,
  Loaded,
  Page,
  RiskNotice,
  Row,
  Section,
  Segmented,
  Skeleton,
} from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'
import { IdentityCard, LevelCard, LimitsCard } from '../components/my-cards.tsx'

/** The member's address, level and limits, with links to all areas, settings and help. */
export default function MyPage() {
  const { t } = useTranslation()
  const me = useQuery(apiQuery('me'))
  const plan = usePlan()
  const app = useAppConfig()?.app
  return (
    <Page title={t('my.title')} back={false}>
      <Loaded query={me} skeleton={<Skeleton className="h-79 rounded-12" />}>
        {(data) => (
          <>
            <IdentityCard me={data} />
            <LimitsCard me={data} />
            <Loaded query={plan} skeleton={<Skeleton className="h-118 rounded-12" />}>
              {(figures) => <LevelCard level={data.level} plan={figures} />}
            </Loaded>
          </>
        )}
      </Loaded>
      <Later>
        <Areas isAdmin={me.data?.admin_role != null} />
      </Later>
      <Later>
        <Settings />
        <Help />
      </Later>
      <Later>
        <SignOut />
        <RiskNotice title={t('risk.title')} text={t('risk.text')} />
        {app !== undefined && (
          <p className="text-center text-12 text-muted">
            {t('my.version', { name: app.version, code: `${app.code}` })}
          </p>
        )}
      </Later>
    </Page>
  )
}

function Areas({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useTranslation()
  const unseen = useQuery(apiQuery('notifications')).data?.unseen ?? 0
  return (
    <Section title={t('areas.title')}>
      <Card className="divide-y divide-line py-1">
        <LinkRow
          to="/pages/my/notifications"
          icon="bell"
          title={t('notifications.title')}
          {...(unseen > 0 && { end: t('notifications.new', { count: unseen }) })}
        />
        {isAdmin && <LinkRow to="/pages/admin/analytics" icon="shield" title={t('my.operations')} />}
      </Card>
      <AreaGrid />
    </Section>
  )
}

function Settings() {
  const { t } = useTranslation()
  const option = useLanguageOption()
  const theme = useTheme()
  const sessions = useQuery(apiQuery('sessions')).data?.items.length
  const language = LANGUAGE_OPTIONS.find(({ code }) => code === option)?.name || t('language.system')
  return (
    <Section title={t('my.settings')}>
      <Card className="flex flex-col py-1">
        <div className="divide-y divide-line">
          <LinkRow
            to="/pages/my/sessions"
            icon="device"
            title={t('sessions.title')}
            {...(sessions !== undefined && { end: <span className="text-muted">{sessions}</span> })}
          />
          <LinkRow to="/pages/my/addresses" icon="book" title={t('addresses.title')} />
          <LinkRow to="/pages/my/approvals" icon="shield" title={t('approvals.title')} />
          <LinkRow
            to="/pages/my/selectLan/index"
            icon="globe"
            title={t('language.title')}
            end={<span className="text-muted">{language}</span>}
          />
          <Row icon="theme" title={t('theme.title')} />
        </div>
        <div className="pb-2">
          <Segmented
            label={t('theme.title')}
            options={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
            value={theme}
            onChange={setTheme}
          />
        </div>
      </Card>
    </Section>
  )
}

function Help() {
  const { t } = useTranslation()
  return (
    <Section title={t('info.section')}>
      <Card className="divide-y divide-line py-1">
        <LinkRow to="/pages/my/help" icon="help" title={t('info.help.title')} />
        <LinkRow to="/pages/my/risk" icon="warn" title={t('info.risk.title')} />
        <LinkRow to="/pages/my/terms" icon="doc" title={t('info.terms.title')} />
        <LinkRow to="/pages/money-policy" icon="shield" title={t('money.title')} />
        <LinkRow
          to="/pages/solvency"
          icon="check"
          title={t('info.solvency')}
          detail={t('heldOwed.mine.title')}
        />
      </Card>
    </Section>
  )
}

function SignOut() {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const leave = async () => {
    setBusy(true)
    await signOut()
  }
  return (
    <Button block variant="secondary" icon="out" busy={busy} onClick={() => void leave()}>
      {t('my.signOut')}
    </Button>
  )
}
