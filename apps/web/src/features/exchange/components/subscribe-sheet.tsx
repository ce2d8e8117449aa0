import type { Launch } from '@rif/api-schema'
import { type FormEvent, useState } from 'react'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { LONG_TOAST_MS, showToast } from '../../../lib/overlays.ts'
import { useApiMutation } from '../../../lib/queries.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Fact, Facts } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Notice } from '../../../ui/states.tsx'
import { judgeLaunch, type LaunchProblem } from '../exchange-draft.ts'

export interface SubscribeSheetProps {
  launch: Launch
  vcAvailable: string
  onClose: () => void
}

/** How much VC goes in, what that would bring if the launch closed now, and the one confirmation. */
export function SubscribeSheet({ launch, vcAvailable, onClose }: SubscribeSheetProps) {
  const { t } = useTranslation()
  const {
    draft: { amount },
    change,
    clear,
  } = useDraft(`launch-${launch.launch_id}`, { amount: '' })
  const [problem, setProblem] = useState<LaunchProblem | null>(null)
  const subscribe = useApiMutation('subscribeLaunch', { refresh: ['launches', 'exchange', 'me'] })
  const judged = judgeLaunch(amount, vcAvailable, launch)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(judged.ok ? null : judged.problem)
    if (!judged.ok) return
    subscribe.mutate(
      { params: { launch_id: launch.launch_id }, body: { amount: judged.amount } },
      {
        onSuccess: () => {
          clear()
          showToast(t('exchange.launch.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          onClose()
        },
      },
    )
  }
  const dash = <span className="text-muted">–</span>
  return (
    <Sheet open onClose={onClose} dismissible={!subscribe.isPending} title={launch.name}>
      <form noValidate className="flex flex-col gap-5 pt-2" onSubmit={onSubmit}>
        <AmountField
          label={t('exchange.launch.amount')}
          unit="VC"
          value={amount}
          onChange={(value) => {
            change({ amount: value })
            setProblem(null)
          }}
          max={vcAvailable}
          aside={t('exchange.launch.available', { amount: formatAmount(vcAvailable) })}
          error={problem === null ? undefined : t(`exchange.problem.${problem}`)}
        />
        <Facts>
          <Fact label={t('exchange.launch.wouldGet')}>
            {judged.ok ? (
              <Money
                amount={judged.units}
                unit={t('exchange.launch.units')}
                exact
                className="text-16 font-semibold"
              />
            ) : (
              dash
            )}
          </Fact>
          <Fact label={t('exchange.launch.wouldReturn')}>
            {judged.ok ? <Money amount={judged.returned} unit="VC" exact /> : dash}
          </Fact>
          <Fact label={t('quote.fee')}>{t('quote.noFee')}</Fact>
        </Facts>
        <Notice tone="warn">{t('exchange.launch.note')}</Notice>
        <Button type="submit" block busy={subscribe.isPending}>
          {t('exchange.launch.confirm')}
        </Button>
      </form>
    </Sheet>
  )
}
