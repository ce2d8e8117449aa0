import { toAmount, useTranslation } from '../../../lib/index.ts'
import { Button, Card, type Checked, TextField, useDraftForm } from '../../../ui/index.ts'
import { type GrantLine, type GrantProblem, isAddress } from './grant-lines.ts'

const EMPTY = { address: '', amount: '', reason: '' }

function checkGrant(text: typeof EMPTY): Checked<typeof EMPTY, { ok: true; grant: GrantLine }, GrantProblem> {
  const [address, amount, reason] = [text.address.trim(), toAmount(text.amount), text.reason.trim()]
  if (isAddress(address) && amount !== null && reason !== '')
    return { ok: true, grant: { line: 1, address, amount, reason } }
  return {
    ok: false,
    problems: {
      ...(!isAddress(address) && { address: 'address' }),
      ...(amount === null && { amount: 'amount' }),
      ...(reason === '' && { reason: 'reason' }),
    },
  }
}

/** Asks for a grant to one member; what was typed stays until it was proposed. */
export function SingleGrant({ onSubmit }: { onSubmit: (grant: GrantLine, onDone: () => void) => void }) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'grant',
    initial: EMPTY,
    check: checkGrant,
    text: (problem) => t(`admin.grants.problem.${problem}`),
    recheck: true,
  })
  return (
    <Card>
      <form
        className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_1fr_2fr_auto]"
        onSubmit={form.submit(({ grant }) => onSubmit(grant, form.reset))}
      >
        <TextField label={t('admin.grants.address')} {...form.textField('address')} />
        <TextField
          label={t('admin.grants.amount')}
          inputMode="decimal"
          end={<span className="text-14 text-muted">RIF</span>}
          {...form.textField('amount')}
        />
        <TextField label={t('admin.grants.what')} maxLength={200} {...form.textField('reason')} />
        <Button type="submit" className="lg:mt-7">
          {t('admin.grants.goOn')}
        </Button>
      </form>
    </Card>
  )
}
