import type { StatementFormat } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiFollow, cx, plainText, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Form, ListSkeleton, Loaded, Notice, Section, TextField } from '../../../ui/index.ts'
import { isStatementOpen, StatementFiles } from '../../../wallet/statements/statement-files.tsx'
import { DayFields, FormatChoice } from '../../../wallet/statements/statement-form.tsx'
import { presetDays, rangeProblem, todayUtc } from '../../../wallet/statements/statement-range.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'

const MEMBER_NUMBER = /^[1-9][0-9]{0,17}$/

/** Requests exports of the books, and lists those that the admin requested. */
export default function AdminStatementsPage() {
  const { t } = useTranslation()
  const query = useQuery(apiFollow('adminStatements', {}, ({ items }) => items.some(isStatementOpen)))
  const may = useMay()
  return (
    <AdminPage title={t('admin.area.statements')} about={t('adminStatements.about')}>
      {!may('operator') && <Notice>{t('adminStatements.operatorsOnly')}</Notice>}
      <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2 2xl:grid-cols-3">
        {may('operator') && (
          <>
            <TrialBalance />
            <Journal />
            <Customer />
          </>
        )}
        <div className={cx('flex flex-col gap-4', may('operator') ? '2xl:col-span-full' : 'col-span-full')}>
          <Loaded query={query} skeleton={<ListSkeleton rows={3} joined />}>
            {(data) => (
              <StatementFiles data={data} side="admin" hint={t('adminStatements.noneHint')} next={NEXT} />
            )}
          </Loaded>
        </div>
      </div>
    </AdminPage>
  )
}

const NEXT = { to: '/pages/admin/analytics', label: 'admin.area.analytics' } as const

const useRequest = () => useApiMutation('requestAdminStatement', { refresh: ['adminStatements'] })

function TrialBalance() {
  const { t } = useTranslation()
  const request = useRequest()
  const [day, setDay] = useState(() => todayUtc())
  const [format, setFormat] = useState<StatementFormat>('csv')
  const isReady = day !== '' && day <= todayUtc()
  return (
    <Section title={t('statements.kind.trialBalance')}>
      <Card>
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) request.mutate({ body: { kind: 'trial_balance', format, from: day, to: day } })
          }}
        >
          <p className="text-14 text-muted">{t('adminStatements.trialBalance')}</p>
          <TextField
            label={t('adminStatements.day')}
            type="date"
            max={todayUtc()}
            value={day}
            error={day > todayUtc() ? t('statements.problem.future') : undefined}
            onChange={(event) => setDay(event.target.value)}
          />
          <FormatChoice value={format} onChange={setFormat} />
          <Button type="submit" variant="secondary" busy={request.isPending} disabled={!isReady}>
            {t('adminStatements.makeTrialBalance')}
          </Button>
        </Form>
      </Card>
    </Section>
  )
}

function Journal() {
  const { t } = useTranslation()
  const request = useRequest()
  const [range, setRange] = useState(() => presetDays('thisMonth', new Date()))
  const isReady = rangeProblem(range, new Date()) === null
  return (
    <Section title={t('statements.kind.journal')}>
      <Card>
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) request.mutate({ body: { kind: 'journal', format: 'csv', ...range } })
          }}
        >
          <p className="text-14 text-muted">{t('adminStatements.journal')}</p>
          <DayFields range={range} onChange={setRange} />
          <Button type="submit" variant="secondary" busy={request.isPending} disabled={!isReady}>
            {t('adminStatements.makeJournal')}
          </Button>
        </Form>
      </Card>
    </Section>
  )
}

function Customer() {
  const { t } = useTranslation()
  const request = useRequest()
  const [memberId, setMemberId] = useState('')
  const [range, setRange] = useState(() => presetDays('thisMonth', new Date()))
  const [format, setFormat] = useState<StatementFormat>('pdf')
  const isNumber = MEMBER_NUMBER.test(memberId)
  const isReady = isNumber && rangeProblem(range, new Date()) === null
  return (
    <Section title={t('statements.kind.customer')}>
      <Card>
        <Form
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) request.mutate({ body: { kind: 'customer', format, ...range, member_id: memberId } })
          }}
        >
          <p className="text-14 text-muted">{t('adminStatements.customer')}</p>
          <TextField
            label={t('adminStatements.member')}
            inputMode="numeric"
            maxLength={18}
            value={memberId}
            error={memberId === '' || isNumber ? undefined : t('adminStatements.notNumber')}
            onChange={(event) => setMemberId(plainText(event.target.value))}
          />
          <DayFields range={range} onChange={setRange} />
          <FormatChoice value={format} onChange={setFormat} />
          <Button type="submit" variant="secondary" busy={request.isPending} disabled={!isReady}>
            {t('adminStatements.makeCustomer')}
          </Button>
        </Form>
      </Card>
    </Section>
  )
}
