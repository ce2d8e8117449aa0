import type { AdminRole, PersonChoice } from '@rif/api-schema'
import { isShownText, plainText, useTranslation } from '../../../lib/index.ts'
import { Button, type Checked, Segmented, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { isAddress } from '../grants/grant-lines.ts'

export const ROLES: readonly AdminRole[] = ['viewer', 'operator', 'approver', 'owner']

export interface RoleWish {
  address: string
  role: AdminRole
  person: PersonChoice
}

/** A person on record, by whose number the product tells persons apart. */
export interface Person {
  number: string
  name: string
}

/** The typed values; `number` is that of a person on record, `NEW` for a new one, or empty. */
interface RoleText {
  address: string
  number: string
  name: string
  role: AdminRole
}

const NEW = 'new'
export const NO_ROLE: RoleText = { address: '', number: '', name: '', role: 'viewer' }

type Problem = 'badWallet' | 'noPerson' | 'oddName'

function check({
  role,
  number,
  ...text
}: RoleText): Checked<RoleText, { ok: true; wish: RoleWish }, Problem> {
  const [address, name] = [plainText(text.address), text.name.trim()]
  const isNew = number === NEW
  const problems = {
    ...(!isAddress(address) && { address: 'badWallet' as const }),
    ...(number === '' && { number: 'noPerson' as const }),
    ...(isNew && name === '' && { name: 'noPerson' as const }),
    ...(isNew && !isShownText(name) && { name: 'oddName' as const }),
  }
  const wish = { address, role, person: isNew ? { new_name: name } : { number } }
  return Object.keys(problems).length === 0 ? { ok: true, wish } : { ok: false, problems }
}

interface RoleSheetProps {
  initial: RoleText
  /** The persons on record; a wallet that has one keeps it. */
  persons: readonly Person[]
  isFixed: boolean
  onSubmit: (wish: RoleWish, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a wallet's role and its owner, a person on record or a new one; another owner approves it. */
export function RoleSheet({ initial, persons, isFixed, onSubmit, onClose }: RoleSheetProps) {
  const { t } = useTranslation()
  const { values, field, textField, submit, clear } = useDraftForm({
    name: `role ${initial.address}`,
    initial,
    check,
    recheck: true,
    text: (problem) => t(`admin.roles.${problem}`),
  })
  return (
    <Sheet open onClose={onClose} title={t('admin.roles.give')}>
      <form className="flex flex-col gap-4" onSubmit={submit(({ wish }) => onSubmit(wish, clear))}>
        <TextField label={t('admin.roles.wallet')} autoComplete="off" {...textField('address')} />
        <PersonField
          persons={isFixed ? persons.filter(({ number }) => number === initial.number) : persons}
          isFixed={isFixed}
          {...field('number')}
        />
        {values.number === NEW && (
          <TextField
            label={t('admin.roles.name')}
            hint={t('admin.roles.nameHint')}
            maxLength={60}
            {...textField('name')}
          />
        )}
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

interface PersonFieldProps {
  persons: readonly Person[]
  isFixed: boolean
  value: string
  error?: string | undefined
  onChange: (number: string) => void
}

/** A choice of a person on record by the number, or of a new one. */
function PersonField({ persons, isFixed, value, error, onChange }: PersonFieldProps) {
  const { t } = useTranslation()
  const onRecord = persons.map(({ number, name }) => ({ value: number, label: `${name} · ${number}` }))
  return (
    <div className="flex flex-col gap-2">
      <p className="text-14 font-medium">{t('admin.roles.person')}</p>
      <Segmented
        wraps
        label={t('admin.roles.person')}
        options={isFixed ? onRecord : [...onRecord, { value: NEW, label: t('admin.roles.newPerson') }]}
        value={value}
        onChange={onChange}
      />
      <p className={error === undefined ? 'text-12 text-muted' : 'text-12 text-bad'}>
        {error ?? t(isFixed ? 'admin.roles.personFixed' : 'admin.roles.personHint')}
      </p>
    </div>
  )
}
