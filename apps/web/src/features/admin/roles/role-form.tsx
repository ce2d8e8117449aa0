import type { AdminRole } from '@rif/api-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Card, Section, Segmented, TextField } from '../../../ui/index.ts'

const ROLES: readonly AdminRole[] = ['viewer', 'operator', 'approver', 'owner']

export interface RoleWish {
  address: string
  person: string
  role: AdminRole
}

/** Asks for a role for a wallet; another owner approves it. */
export function RoleForm({ onSubmit }: { onSubmit: (wish: RoleWish) => void }) {
  const { t } = useTranslation()
  const [role, setRole] = useState<AdminRole>('viewer')
  const form = useForm({ defaultValues: { address: '', person: '' } })
  const { errors } = form.formState
  return (
    <Section title={t('admin.roles.give')}>
      <Card>
        <form
          className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_1fr_auto_auto]"
          onSubmit={form.handleSubmit(({ address, person }) =>
            onSubmit({ address: address.trim(), person: person.trim(), role }),
          )}
        >
          <TextField
            label={t('admin.roles.wallet')}
            error={errors.address?.message}
            {...form.register('address', {
              validate: (value) => /^0x[0-9a-fA-F]{40}$/.test(value.trim()) || t('admin.roles.badWallet'),
            })}
          />
          <TextField
            label={t('admin.roles.person')}
            hint={t('admin.roles.personHint')}
            error={errors.person?.message}
            maxLength={60}
            {...form.register('person', {
              validate: (value) => value.trim() !== '' || t('admin.roles.noPerson'),
            })}
          />
          <div className="lg:pt-6">
            <Segmented
              label={t('admin.field.role')}
              options={ROLES.map((value) => ({ value, label: t(`admin.role.${value}`) }))}
              value={role}
              onChange={setRole}
            />
          </div>
          <Button type="submit" className="lg:mt-7">
            {t('admin.preview')}
          </Button>
        </form>
      </Card>
    </Section>
  )
}
