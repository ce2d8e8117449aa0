import type { AdminMember, MemberHold } from '@rif/api-schema'
import { useState } from 'react'
import { formatAmount, toAmount, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  type Checked,
  Fact,
  Facts,
  isDrafted,
  Notice,
  Pill,
  Section,
  Sheet,
  TextField,
  useDraftForm,
  useSheetValues,
} from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import {
  type PayloadOf,
  PrepareSheet,
  useProposals,
  useWanted,
  type Wanted,
} from '../proposals/use-proposals.tsx'

const STEPS = ['freezeMember', 'flagMember'] as const
type Step = (typeof STEPS)[number]

const draftOf = (step: Step, memberId: string) => `${step} ${memberId}`

/** Freezes a member or holds all withdrawals at once. Lifting either needs a second person. */
export function HoldCard({ memberId, hold: state }: { memberId: string; hold: MemberHold }) {
  const { t } = useTranslation()
  const may = useMay()
  const [step, setStep] = useState(() => STEPS.find((item) => isDrafted(draftOf(item, memberId))) ?? null)
  const place = `hold ${memberId}`
  const [wanted, setWanted] = useWanted(place)
  return (
    <Section title={t('admin.hold.title')}>
      <Card className="flex flex-col gap-3">
        <p className="flex flex-wrap gap-2">
          <Pill tone={state.frozen ? 'bad' : 'good'}>
            {t(state.frozen ? 'admin.hold.frozen' : 'admin.hold.active')}
          </Pill>
          {state.flagged && <Pill tone="warn">{t('admin.hold.flagged')}</Pill>}
        </p>
        {state.freeze_reason !== null && <Notice tone="warn">{state.freeze_reason}</Notice>}
        {may('operator') && (
          <div className="flex flex-wrap gap-3">
            {state.frozen ? (
              <Button
                variant="secondary"
                onClick={() => setWanted({ kind: 'unfreeze', payload: { member_id: memberId } })}
              >
                {t('admin.hold.unfreeze')}
              </Button>
            ) : (
              <Button variant="danger" onClick={() => setStep('freezeMember')}>
                {t('admin.hold.freeze')}
              </Button>
            )}
            {state.flagged ? (
              <Button
                variant="secondary"
                onClick={() => setWanted({ kind: 'unflag', payload: { member_id: memberId } })}
              >
                {t('admin.hold.unflag')}
              </Button>
            ) : (
              <Button variant="secondary" onClick={() => setStep('flagMember')}>
                {t('admin.hold.flag')}
              </Button>
            )}
          </div>
        )}
      </Card>
      {step !== null && <HoldSheet memberId={memberId} step={step} onClose={() => setStep(null)} />}
      {wanted !== null && (
        <PrepareSheet
          title={t(`admin.kind.${wanted.kind}`)}
          wanted={wanted}
          place={place}
          onClose={() => setWanted(null)}
        />
      )}
    </Section>
  )
}

function HoldSheet({ memberId, step, onClose }: { memberId: string; step: Step; onClose: () => void }) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues(draftOf(step, memberId), { reason: '' })
  const reason = values.reason.trim()
  const hold = useApiMutation(step, { refresh: ['memberHold', 'adminMember', 'auditQueue'] })
  const send = () =>
    void hold
      .mutateAsync({ params: { member_id: memberId }, body: { reason } })
      .then(onClose, () => undefined)
  return (
    <Sheet
      open
      onClose={onClose}
      title={t(step === 'freezeMember' ? 'admin.hold.freeze' : 'admin.hold.flag')}
    >
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">
          {t(step === 'freezeMember' ? 'admin.hold.freezeAbout' : 'admin.hold.flagAbout')}
        </p>
        <TextField
          label={t('admin.reason')}
          value={values.reason}
          maxLength={400}
          onChange={(event) => set({ reason: event.target.value })}
        />
        <Button variant="danger" busy={hold.isPending} disabled={reason.length < 3} onClick={send}>
          {t(step === 'freezeMember' ? 'admin.hold.freeze' : 'admin.hold.flag')}
        </Button>
      </div>
    </Sheet>
  )
}

/** The member's own daily cap of pairing; setting and lifting it takes two people. */
export function DayCapCard({ member }: { member: AdminMember }) {
  const { t } = useTranslation()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const memberId = member.profile.member_id
  const { want, sheets } = useProposals({ place: `day cap ${memberId}` })
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
  /** The current cap; null for none. */
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
      const wanted = text.cap === '0' ? '0' : toAmount(text.cap)
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
