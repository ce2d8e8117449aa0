import type { Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount, formatPpm } from '../../../lib/format.ts'
import { useLanguageOption } from '../../../lib/i18n.ts'
import { LANGUAGE_OPTIONS } from '../../../lib/locale.ts'
import { apiQuery } from '../../../lib/queries.ts'
import { setTheme, THEMES, useTheme } from '../../../lib/theme.ts'
import { Address } from '../../../ui/address.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Fact, Facts } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { LinkRow, Row } from '../../../ui/row.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx'
import { signOut } from '../../../wallet/connection.ts'

/** Who am I here: address, level, counts, and the ways to all areas and settings. */
export default function MyPage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('me'))
  return (
    <Page title={t('my.title')} back={false}>
      {data !== undefined ? (
        <Identity me={data} />
      ) : isError ? (
        <ErrorState onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-52 rounded-12" />
      )}
      <Card className="divide-y divide-line py-2">
        <LinkRow to="/pages/shop/orderList" icon="orders" title={t('my.orders')} />
        <LinkRow to="/pages/withdrawal/list" icon="withdraw" title={t('my.withdrawals')} />
        <LinkRow to="/pages/transfer/index" icon="send" title={t('transfers.title')} />
        <LinkRow to="/pages/index/team_user" icon="team" title={t('my.team')} />
        <LinkRow to="/pages/my/invite/index" icon="invite" title={t('my.invite')} />
      </Card>
      <Settings />
      <SignOut />
      <Notice tone="warn" title={t('risk.title')}>
        {t('risk.text')}
      </Notice>
    </Page>
  )
}

function Identity({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-col items-start gap-2">
        <Address value={me.receive_address} className="text-16 font-semibold" />
        <Pill tone={me.level > 0 ? 'info' : 'neutral'}>
          {me.level > 0 ? t('my.level', { level: me.level }) : t('my.noLevel')}
        </Pill>
      </div>
      <Facts>
        <Fact label={t('my.invited')}>
          {t('my.counts', {
            all: formatCount(me.invited_count_all),
            valid: formatCount(me.invited_count_valid),
          })}
        </Fact>
        <Fact label={t('my.teamSize')}>
          {t('my.counts', { all: formatCount(me.team_size_all), valid: formatCount(me.team_size_valid) })}
        </Fact>
        <Fact label={t('my.invested')}>
          <Money amount={me.investment_sum} unit="USDT" />
        </Fact>
        <Fact label={t('my.pairingCap')}>
          <Money amount={me.day_top_profit} unit="USDT" />
        </Fact>
        <Fact label={t('my.discount')}>{t('my.upTo', { rate: formatPpm(me.use_hash_rate_percent) })}</Fact>
        <Fact label={t('my.days')}>{formatCount(me.register_days)}</Fact>
      </Facts>
    </Card>
  )
}

function Settings() {
  const { t } = useTranslation()
  const option = useLanguageOption()
  const theme = useTheme()
  const language = LANGUAGE_OPTIONS.find(({ code }) => code === option)?.name || t('language.system')
  return (
    <Card className="flex flex-col gap-2">
      <LinkRow
        to="/pages/my/selectLan/index"
        icon="globe"
        title={t('language.title')}
        end={<span className="text-muted">{language}</span>}
      />
      <Row icon="theme" title={t('theme.title')} />
      <Segmented
        label={t('theme.title')}
        options={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        value={theme}
        onChange={setTheme}
      />
    </Card>
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
