import type { Launch } from '@rif/api-schema'
import { formatAmount, LONG_TOAST_MS, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  checkOf,
  Fact,
  Facts,
  Form,
  Money,
  Notice,
  Sheet,
  useDraftForm,
} from '../../../ui/index.ts'
import { judgeLaunch } from '../exchange-draft.ts'

export interface SubscribeSheetProps {
  launch: Launch
  vcAvailable: string
  onClose: () => void
}

/** How much VC goes in, what that would bring if the launch closed now, and the one confirmation. */
export function SubscribeSheet({ launch, vcAvailable, onClose }: SubscribeSheetProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: `launch-${launch.launch_id}`,
    initial: { amount: '' },
    check: ({ amount }) => checkOf('amount', judgeLaunch(amount, vcAvailable, launch)),
    text: (problem) => t(`exchange.problem.${problem}`),
  })
  const subscribe = useApiMutation('subscribeLaunch', { refresh: ['launches', 'exchange', 'me'] })
  const judged = form.checked
  const onSubmit = form.submit(({ amount }) =>
    subscribe.mutate(
      { params: { launch_id: launch.launch_id }, body: { amount } },
      {
        onSuccess: () => {
          form.clear()
          showToast(t('exchange.launch.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          onClose()
        },
      },
    ),
  )
  const dash = <span className="text-muted">–</span>
  return (
    <Sheet open onClose={onClose} dismissible={!subscribe.isPending} title={launch.name}>
      <Form className="gap-5 pt-2" onSubmit={onSubmit}>
        <AmountField
          label={t('exchange.launch.amount')}
          unit="VC"
          {...form.field('amount')}
          max={vcAvailable}
          aside={t('exchange.launch.available', { amount: formatAmount(vcAvailable) })}
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
      </Form>
    </Sheet>
  )
}
