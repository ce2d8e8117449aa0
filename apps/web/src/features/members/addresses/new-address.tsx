import { formatMicros } from '@rif/rules'
import { findAddress, formatAmount, usePlan, useTranslation } from '../../../lib/index.ts'
import {
  addressText,
  Button,
  Card,
  CardSection,
  checkOf,
  Fact,
  Facts,
  Form,
  Loaded,
  Section,
  Skeleton,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'

/** Shows which payments require the member's signature, and which are reviewed by a person. */
export function AddressNeeds() {
  const { t } = useTranslation()
  const plan = usePlan()
  return (
    <Loaded query={plan} skeleton={<Skeleton className="h-44 rounded-16" />}>
      {({ leaving, withdrawal }) => {
        const whole = (micros: bigint) => formatAmount(formatMicros(micros), { min: 0, max: 2 })
        const figures = { free: whole(leaving.signAboveMicros), review: whole(withdrawal.auditAboveMicros) }
        return (
          <CardSection title={t('addresses.needs.title')}>
            <Facts>
              {(['nothing', 'signature', 'review'] as const).map((name) => (
                <Fact key={name} label={t(`addresses.needs.${name}.what`, figures)}>
                  {t(`addresses.needs.${name}.need`)}
                </Fact>
              ))}
            </Facts>
          </CardSection>
        )
      }}
    </Loaded>
  )
}

/** Saves an address. */
export function NewAddress({ hours, onAdd }: { hours: number; onAdd: (address: string) => void }) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'new-address',
    initial: { address: '' },
    check: ({ address }) => checkOf('address', judgeAddress(address)),
    text: (problem, { address }) =>
      problem === 'required' ? t('addresses.required') : addressText(t, address),
  })
  return (
    <Section title={t('addresses.add')}>
      <Card>
        <Form
          onSubmit={form.submit(({ address }) => {
            form.reset()
            onAdd(address)
          })}
        >
          <TextField
            label={t('addresses.address')}
            placeholder="0x…"
            autoCapitalize="off"
            spellCheck={false}
            {...form.textField('address')}
            hint={t('addresses.addHint', { hours })}
          />
          <Button type="submit" variant="secondary" block>
            {t('addresses.add')}
          </Button>
        </Form>
      </Card>
    </Section>
  )
}

function judgeAddress(
  typed: string,
): { ok: true; address: string } | { ok: false; problem: 'required' | 'invalid' } {
  if (typed.trim() === '') return { ok: false, problem: 'required' }
  const address = findAddress(typed)
  return address === null ? { ok: false, problem: 'invalid' } : { ok: true, address }
}
