import type { AdminRole } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Button, type Checked, Segmented, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { isAddress } from '../grants/grant-lines.ts'

export const ROLES: readonly AdminRole[] = ['viewer', 'operator', 'approver', 'owner']

export interface RoleWish {
  address: string
  person: string
  role: AdminRole
}

export const NO_ROLE: RoleWish = { address: '', person: '', role: 'viewer' }

function check(text: RoleWish): Checked<RoleWish, { ok: true; wish: RoleWish }, 'badWallet' | 'noPerson'> {
  const wish = { address: text.address.trim(), person: text.person.trim(), role: text.role }
  const problems = {
    ...(!isAddress(wish.address) && { address: 'badWallet' as const }),
    ...(wish.person === '' && { person: 'noPerson' as const }),
  }
  return Object.keys(problems).length === 0 ? { ok: true, wish } : { ok: false, problems }
}

interface RoleSheetProps {
  initial: RoleWish
  onSubmit: (wish: RoleWish, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a wallet's role and its owner; another owner approves it. */
export function RoleSheet({ initial, onSubmit, onClose }: RoleSheetProps) {
  const { t } = useTranslation()
  const { field, textField, submit, clear } = useDraftForm({
    name: `role ${initial.address}`,
    ...{ initial, check, recheck: true },
    text: (problem) => t(`admin.roles.${problem}`),
  })
  return (
    <Sheet open onClose={onClose} title={t('admin.roles.give')}>
      <form className="flex flex-col gap-4" onSubmit={submit(({ wish }) => onSubmit(wish, clear))}>
        <TextField label={t('admin.roles.wallet')} autoComplete="off" {...textField('address')} />
        <TextField
          label={t('admin.roles.person')}
          hint={t('admin.roles.personHint')}
          maxLength={60}
          {...textField('person')}
        />
        <Segmented
          label={t('admin.field.role')}
          options={ROLES.map((value) => ({ value, label: t(`admin.role.${value}`) }))}
          {...field('role')}
        />
        <Button type="submit">{t('admin.preview')}</Button>
      </form>
    </Sheet>
  )
}
