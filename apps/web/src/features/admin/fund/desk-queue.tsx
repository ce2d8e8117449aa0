import type { FundDesk } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { cx, formatAmount, formatPrice, useTranslation } from '../../../lib/index.ts'
import { Button, DataTable, Fact, Facts, MoneyFact, Sheet } from '../../../ui/index.ts'
import { MemberLink, useMay } from '../components/admin-page.tsx'
import { NothingWaits, Panel } from '../components/panel.tsx'
import { UtcTime, UtcTimeFact } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'

interface DeskQueueProps {
  desk: FundDesk
  onWant: (wanted: Wanted) => void
  onProposal: (proposalId: string) => void
}

type Waiting = Pick<FundDesk['redemptions'][number], 'member_id' | 'address'>

/** The unpaid redemptions: approved ones in order of payment, then undecided ones. */
export function DeskQueue({ desk, onWant, onProposal }: DeskQueueProps) {
  const { t } = useTranslation()
  const title = t('admin.desk.queue.title')
  const { redemptions, pending, queue } = desk
  const hidden = queue.length - redemptions.length + pending.length - pending.items.length
  let left = parseMicros(desk.cash) - parseMicros(desk.announced)
  const leftAfter = (value: string) => {
    left -= parseMicros(value)
    return (
      <span key="left" className={cx(left < 0n && 'font-semibold text-bad')}>
        {formatAmount(formatMicros(left))}
      </span>
    )
  }
  const who = ({ member_id, address }: Waiting, text: string, at: string) => (
    <span key="who" className="flex flex-col">
      <MemberLink memberId={member_id} address={address} />
      <span className="flex flex-wrap gap-x-1 text-12 text-muted">
        {text} <UtcTime value={at} />
      </span>
    </span>
  )
  const approvedRows = redemptions.map((redemption) => ({
    key: redemption.redemption_id,
    cells: [
      redemption.place,
      who(redemption, t('admin.desk.queue.approved'), redemption.approved_at),
      redemption.units,
      formatAmount(redemption.value),
      <span key="when" className="flex flex-col items-end">
        <UtcTime value={redemption.due_at} />
        {redemption.waits_for !== 'time' && (
          <span className="text-12 text-warn">{t(`admin.desk.queue.waits.${redemption.waits_for}`)}</span>
        )}
      </span>,
      leftAfter(redemption.value),
    ],
  }))
  const pendingRows = pending.items.map((item, index) => ({
    key: item.redemption_id,
    cells: [
      index === 0 ? (
        <Review key="review" {...{ desk, onWant, onProposal }} />
      ) : (
        <span key="later" className="text-12 text-muted">
          {t('admin.desk.queue.after')}
        </span>
      ),
      who(item, t('admin.desk.queue.asked'), item.submitted_at),
      item.units,
      formatAmount(item.value),
      <span key="when" className="flex flex-col items-end text-muted">
        <UtcTime value={desk.next_due_at} />
        <span className="text-12">{t('admin.desk.queue.atBest')}</span>
      </span>,
      leftAfter(item.value),
    ],
  }))
  return (
    <Panel title={title}>
      {approvedRows.length + pendingRows.length === 0 ? (
        <NothingWaits>
          {t('admin.desk.queue.none')}. {t('admin.desk.queue.noneHint')}
        </NothingWaits>
      ) : (
        <>
          <p className="text-12 text-muted">{t('admin.desk.queue.about', { nav: formatPrice(desk.nav) })}</p>
          <DataTable
            stacks
            caption={title}
            head={(['place', 'member', 'units', 'estimate', 'when', 'left'] as const).map((name) =>
              t(`admin.desk.queue.${name}`),
            )}
            words={[1]}
            rows={[...approvedRows, ...pendingRows]}
          />
          {hidden > 0 && (
            <p className="text-12 text-muted">{t('admin.desk.queue.hidden', { count: hidden })}</p>
          )}
        </>
      )}
    </Panel>
  )
}

/** The link to the decision on the first undecided redemption; the others follow in order. */
function Review({ desk, onWant, onProposal }: DeskQueueProps) {
  const { t } = useTranslation()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const [first] = desk.pending.items
  const { redemption } = desk.proposals
  if (redemption !== null)
    return (
      <Button variant="secondary" onClick={() => onProposal(redemption)}>
        {t('admin.desk.queue.proposed')}
      </Button>
    )
  if (first === undefined || !may('operator')) return '–'
  const want = (approve: boolean) => () => {
    setOpen(false)
    const { member_id, redemption_id } = first
    onWant({ kind: 'fund_redemption', payload: { member_id, redemption_id, approve } })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('admin.desk.queue.review')}</Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('admin.desk.queue.reviewTitle')}>
        <div className="flex flex-col gap-4">
          <p className="text-14 text-muted">{t('admin.desk.queue.about', { nav: formatPrice(desk.nav) })}</p>
          <Facts>
            <Fact label={t('admin.desk.queue.member')}>
              <MemberLink memberId={first.member_id} address={first.address} />
            </Fact>
            <Fact label={t('admin.desk.queue.units')}>{first.units}</Fact>
            <MoneyFact label={t('admin.desk.queue.estimate')} amount={first.value} unit="USDT" />
            <UtcTimeFact label={t('admin.desk.queue.asked')} value={first.submitted_at} />
            <UtcTimeFact label={t('admin.desk.queue.when')} value={desk.next_due_at} />
          </Facts>
          <div className="flex flex-wrap gap-3">
            <Button variant="danger" onClick={want(false)}>
              {t('admin.audit.reject')}
            </Button>
            <Button onClick={want(true)}>{t('admin.audit.approve')}</Button>
          </div>
        </div>
      </Sheet>
    </>
  )
}
