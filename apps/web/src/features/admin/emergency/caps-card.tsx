import type { RouteData } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { formatAmount, toAmount, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  type Checked,
  Fact,
  Facts,
  Form,
  Money,
  Segmented,
  useDraftForm,
} from '../../../ui/index.ts'
import type { LabelOf } from './bank-queue.tsx'
import type { OnAsk } from './bank-sheet.tsx'

type State = NonNullable<RouteData<'emergency'>['chain']>

interface Props {
  state: State
  labelOf: LabelOf
  mayRaise: boolean
  onAsk: OnAsk
}

/** The daily caps of a bank contract, whose default admin can announce a raise. */
export function CapsCard({ state, labelOf, mayRaise, onAsk }: Props) {
  const { t } = useTranslation()
  return (
    <section aria-label={labelOf(t('admin.emergency.bank.caps'))}>
      <Card className="flex flex-col gap-3">
        <h3 className="text-16 font-semibold">{t('admin.emergency.bank.caps')}</h3>
        <p className="text-14 text-muted">{t('admin.emergency.bank.capsAbout')}</p>
        <Facts>
          {state.caps.map(({ asset, cap, remaining }) => (
            <Fact key={asset} label={asset}>
              <span className="flex flex-col items-end">
                <Money amount={cap} unit={asset} />
                <span className="text-12 text-muted">
                  {t('admin.emergency.bank.capLeft', { amount: formatAmount(remaining) })}
                </span>
              </span>
            </Fact>
          ))}
        </Facts>
        {mayRaise && state.you.admin && <RaiseForm state={state} labelOf={labelOf} onAsk={onAsk} />}
      </Card>
    </section>
  )
}

const INITIAL = { asset: 'USDT' as State['caps'][number]['asset'], cap: '' }

/**
 * Asks for a higher cap. The contract determines the maximum, and the call is simulated before it is sent.
 */
function RaiseForm({ state, labelOf, onAsk }: Omit<Props, 'mayRaise'>) {
  const { t } = useTranslation()
  const config = useAppConfig()
  const { values, field, submit, reset } = useDraftForm({
    name: `cap ${state.bank}`,
    initial: INITIAL,
    check: ({
      asset,
      cap,
    }): Checked<typeof INITIAL, { ok: true; asset: typeof asset; cap: string }, 'notHigher'> => {
      const wanted = toAmount(cap)
      const current = state.caps.find((cap) => cap.asset === asset)?.cap ?? '0'
      return wanted !== null && parseMicros(wanted) > parseMicros(current)
        ? { ok: true, asset, cap: wanted }
        : { ok: false, problems: { cap: 'notHigher' } }
    },
    text: (problem) => t(`admin.emergency.bank.${problem}`),
    recheck: true,
  })
  const ask = ({ asset, cap }: { asset: typeof values.asset; cap: string }) => {
    if (config === undefined) return
    const subject = asset === 'USDT' ? config.contracts.usdt : config.contracts.amc
    onAsk({ call: 'queueCapRaise', subject, bank: state.bank, cap }, reset)
  }
  return (
    <Form
      className="gap-3"
      aria-label={labelOf(t('admin.emergency.call.queueCapRaise'))}
      onSubmit={submit(ask)}
    >
      <Segmented
        label={t('admin.prices.asset')}
        options={state.caps.map(({ asset }) => ({ value: asset, label: asset }))}
        {...field('asset')}
      />
      <AmountField label={t('admin.emergency.bank.newCap')} unit={values.asset} {...field('cap')} />
      <Button variant="secondary" type="submit">
        {t('admin.emergency.call.queueCapRaise')}
      </Button>
    </Form>
  )
}
