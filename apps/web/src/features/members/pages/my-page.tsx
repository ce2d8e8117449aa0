import type { Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import {
  apiQuery,
  formatTime,
  LANGUAGE_OPTIONS,
  setOwnHidden,
  setTheme,
  THEMES,
  useAppConfig,
  useCurrency,
  useLanguageOption,
  useOwnHidden,
  usePlan,
  useTheme,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  ButtonRow,
  Card,
  Columns,
  ContactRow,
  Later,
  LinkRow,
  Loaded,
  Page,
  RiskNotice,
  Row,
  Section,
  Segmented,
  Skeleton,
  Switch,
} from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'
import { FiguresCard, IdentityCard, LevelCard, LimitsCard } from '../components/my-cards.tsx'

const CurrencyChoice = lazy(() => import('../components/currency-choice.tsx'))

/**
 * The member's identity and today's limit, with links to all areas, settings and help; beside them the level
 * and the figures of the account.
 */
export default function MyPage() {
  const { t } = useTranslation()
  const me = useQuery(apiQuery('me'))
  const plan = usePlan()
  const app = useAppConfig()?.app
  return (
    <Page title={t('my.title')} back={false} wide>
      <Columns
        side={
          <Later>
            <Loaded query={me} skeleton={<Skeleton className="h-79 rounded-16" />}>
              {(data) => (
                <>
                  <Loaded query={plan} skeleton={<Skeleton className="h-118 rounded-16" />}>
                    {(figures) => <LevelCard level={data.level} plan={figures} />}
                  </Loaded>
                  <FiguresCard me={data} />
                </>
              )}
            </Loaded>
            <RiskNotice title={t('risk.title')} text={t('risk.text')} />
          </Later>
        }
      >
        <Loaded query={me} skeleton={<Skeleton className="h-72 rounded-24" />}>
          {(data) => (
            <>
              <IdentityCard me={data} />
              <LimitsCard me={data} />
            </>
          )}
        </Loaded>
        <Later>
          <Areas me={me.data} />
        </Later>
        <Later>
          <Safety />
          <Settings />
          <Help />
        </Later>
        <Later>
          <SignOut />
          {app !== undefined && (
            <p className="text-center text-12 text-muted">
              {t('my.version', { name: app.version, code: `${app.code}` })}
            </p>
          )}
        </Later>
      </Columns>
    </Page>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <Card className="divide-y divide-line py-1">{children}</Card>
    </Section>
  )
}

function Areas({ me }: { me: Me | undefined }) {
  const { t } = useTranslation()
  const sides = me && {
    detail: t('my.detail.sides', { left: me.left_team_size_all, right: me.right_team_size_all }),
  }
  return (
    <>
      {me?.admin_role != null && (
        <Card className="py-1">
          <LinkRow to="/pages/admin/analytics" icon="shield" title={t('my.operations')} />
        </Card>
      )}
      <Group title={t('nav.money')}>
        <LinkRow
          to="/pages/localWallet/index"
          icon="wallet"
          title={t('areas.localWallet')}
          detail={t('my.detail.wallet')}
        />
        <LinkRow to="/pages/savings/index" icon="savings" title={t('areas.savings')} />
        <LinkRow
          to="/pages/transfer/index"
          icon="send"
          title={t('areas.transfer')}
          detail={t('my.detail.send')}
        />
        <LinkRow to="/pages/withdrawal/list" icon="withdraw" title={t('areas.withdrawals')} />
        <LinkRow to="/pages/exchange/index" icon="transfer" title={t('areas.exchange')} />
        <LinkRow
          to="/pages/index/hashRate"
          icon="bolt"
          title={t('areas.hashRate')}
          detail={t('my.detail.rif')}
        />
        <LinkRow to="/pages/shop/packages" icon="shop" title={t('packages.title')} />
        <LinkRow to="/pages/shop/orderList" icon="orders" title={t('areas.orders')} />
        <LinkRow to="/pages/found/my" icon="fund" title={t('areas.holdings')} />
        <LinkRow to="/pages/rewardList/coverage" icon="rewards" title={t('areas.coverage')} />
        <LinkRow
          to="/pages/my/statements"
          icon="doc"
          title={t('statements.title')}
          detail={t('statements.detail')}
        />
      </Group>
      <Group title={t('nav.team')}>
        <LinkRow to="/pages/index/team_user" icon="team" title={t('areas.team')} {...sides} />
        <LinkRow
          to="/pages/my/invite/inviteTree"
          icon="tree"
          title={t('areas.tree')}
          detail={t('my.detail.tree')}
        />
        <LinkRow to="/pages/my/invite/index" icon="invite" title={t('areas.invite')} />
      </Group>
    </>
  )
}

function Safety() {
  const { t } = useTranslation()
  const sessions = useQuery(apiQuery('sessions')).data?.items.length
  return (
    <Group title={t('my.safety')}>
      <LinkRow
        to="/pages/my/approvals"
        icon="key"
        title={t('approvals.title')}
        detail={t('my.detail.approvals')}
      />
      <LinkRow to="/pages/my/addresses" icon="book" title={t('addresses.title')} />
      <LinkRow to="/pages/my/figures" icon="list" title={t('figures.title')} />
      <LinkRow to="/pages/my/lock" icon="lock" title={t('lock.title')} />
      <LinkRow
        to="/pages/my/sessions"
        icon="device"
        title={t('sessions.title')}
        {...(sessions !== undefined && { end: <span className="text-muted">{sessions}</span> })}
      />
      <LinkRow
        to="/pages/my/data"
        icon="download"
        title={t('personData.title')}
        detail={t('personData.row')}
      />
    </Group>
  )
}

function Settings() {
  const { t } = useTranslation()
  const option = useLanguageOption()
  const theme = useTheme()
  const isHidden = useOwnHidden()
  const { unseen = 0, unseen_limit: most } = useQuery(apiQuery('notifications')).data ?? {}
  const language = LANGUAGE_OPTIONS.find(({ code }) => code === option)?.name || t('language.system')
  return (
    <Section title={t('my.settings')}>
      <Card className="flex flex-col py-1">
        <div className="divide-y divide-line">
          <LinkRow
            to="/pages/my/notifications"
            icon="bell"
            title={t('notifications.title')}
            {...(unseen > 0 && {
              end: t('notifications.new', { count: `${unseen}${unseen === most ? '+' : ''}` }),
            })}
          />
          <LinkRow to="/pages/my/notices" icon="mail" title={t('notices.title')} />
          <LinkRow
            to="/pages/my/selectLan/index"
            icon="globe"
            title={t('language.title')}
            end={<span className="text-muted">{language}</span>}
          />
          <SecondCurrency />
          <Switch
            icon="eyeOff"
            label={t('own.setting')}
            hint={t('own.hint')}
            checked={isHidden}
            onChange={setOwnHidden}
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

/** The way to the currency in which totals are shown a second time. */
function SecondCurrency() {
  const { t } = useTranslation()
  const currency = useCurrency()
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  return (
    <>
      <ButtonRow
        icon="transfer"
        title={t('currency.title')}
        end={<span className="text-muted">{currency ?? t('currency.none')}</span>}
        onClick={() => {
          setWasOpen(true)
          setOpen(true)
        }}
      />
      <Suspense>{wasOpen && <CurrencyChoice open={isOpen} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function Help() {
  const { t } = useTranslation()
  const [accepted] = useQuery(apiQuery('terms')).data?.items ?? []
  return (
    <Section title={t('info.section')}>
      <Card className="divide-y divide-line py-1">
        <LinkRow to="/pages/search" icon="search" title={t('search.title')} detail={t('search.hint')} />
        <LinkRow to="/pages/my/help" icon="help" title={t('info.help.title')} />
        <LinkRow to="/pages/my/risk" icon="warn" title={t('info.risk.title')} />
        <LinkRow
          to="/pages/my/terms"
          icon="doc"
          title={t('info.terms.title')}
          {...(accepted && {
            detail: t('consent.row', {
              version: accepted.version,
              time: formatTime(accepted.accepted_at) ?? '',
            }),
          })}
        />
        <LinkRow to="/pages/money-policy" icon="shield" title={t('money.title')} />
        <LinkRow
          to="/pages/solvency"
          icon="check"
          title={t('info.solvency')}
          detail={t('heldOwed.mine.title')}
        />
      </Card>
      <ContactRow />
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
