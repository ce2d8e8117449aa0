import type { AdminMember } from '@rif/api-schema'
import { useState } from 'react'
import { formatAmount, toAmount, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  type Checked,
  Fact,
  Facts,
  Section,
  Sheet,
  useDraftForm,
} from '../../../ui/index.ts'
import type { PayloadOf, Wanted } from '../proposals/prepare-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { useMay } from '../use-role.ts'

/** The member's own cap of a day of pairing; setting and lifting it takes two people. */
export function DayCapCard({ member }: { member: AdminMember }) {
  const { t } = useTranslation()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { want, sheets } = useProposals()
  const memberId = member.profile.member_id
  const cap = member.own_day_cap
  return (
    <Section title={t('adminForms.dayCap.title')}>
      <Card className="flex flex-col gap-3">
        <Facts>
          <Fact label={t('adminForms.dayCap.now')}>
            {cap === null ? t('adminForms.dayCap.none') : `${formatAmount(cap)} USDT`}
          </Fact>
        </Facts>
        {may('operator') && (
          <div className="flex flex-wrap gap-3">
            <Button variant="secondary" onClick={() => setAsking(true)}>
              {t('adminForms.dayCap.set')}
            </Button>
            {cap !== null && (
              <Button
                variant="secondary"
                onClick={() => want({ kind: 'day_cap', payload: { member_id: memberId, cap: null } })}
              >
                {t('adminForms.dayCap.lift')}
              </Button>
            )}
          </div>
        )}
      </Card>
      {isAsking && (
        <DayCapSheet
          memberId={memberId}
          cap={cap}
          onSubmit={(wanted, onDone) => {
            setAsking(false)
            want(wanted, onDone)
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {sheets}
    </Section>
  )
}

interface DayCapSheetProps {
  memberId: string
  /** The cap of now; null for none. */
  cap: string | null
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

function DayCapSheet({ memberId, cap, onSubmit, onClose }: DayCapSheetProps) {
  const { t } = useTranslation()
  const { field, submit, clear } = useDraftForm({
    name: `day cap ${memberId}`,
    initial: { cap: '' },
    check: (text: {
      cap: string
    }): Checked<{ cap: string }, { ok: true; payload: PayloadOf<'day_cap'> }, 'amount'> => {
      // A cap may be zero.
      const wanted = /^0+(\.0*)?$/.test(text.cap) ? '0' : toAmount(text.cap)
      if (wanted === null) return { ok: false, problems: { cap: 'amount' } }
      return { ok: true, payload: { member_id: memberId, cap: wanted } }
    },
    text: () => t('adminForms.problem.amount'),
    recheck: true,
  })
  return (
    <Sheet open onClose={onClose} title={t('adminForms.dayCap.set')}>
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t('adminForms.dayCap.about')}</p>
        <AmountField
          label={t('adminForms.dayCap.title')}
          unit="USDT"
          {...field('cap')}
          {...(cap !== null && { aside: formatAmount(cap) })}
        />
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'day_cap', payload }, clear))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}
