import { plainText, useTranslation } from '../../../lib/index.ts'
import { Button, type Checked, Notice, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import { isAddress } from '../grants/grant-lines.ts'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'

const EMPTY = { address: '', name: '', purpose: '' }
const MAX_NAME = 80
const MAX_PURPOSE = 200

interface DestinationSheetProps {
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for the owner and purpose of a new exit destination. */
export function DestinationSheet({ onSubmit, onClose }: DestinationSheetProps) {
  const { t } = useTranslation()
  const { textField, submit, clear } = useDraftForm({
    name: 'exit-destination',
    initial: EMPTY,
    check,
    text: (problem) => t(`admin.treasury.${problem}`),
    recheck: true,
  })
  return (
    <Sheet open onClose={onClose} title={t('admin.treasury.addDestination')}>
      <div className="flex flex-col gap-4">
        <Notice>{t('admin.treasury.addAbout')}</Notice>
        <TextField label={t('admin.roles.wallet')} autoComplete="off" {...textField('address')} />
        <TextField label={t('admin.treasury.owner')} maxLength={MAX_NAME} {...textField('name')} />
        <TextField label={t('admin.treasury.purpose')} maxLength={MAX_PURPOSE} {...textField('purpose')} />
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'exit_destination', payload }, clear))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

function check(
  text: typeof EMPTY,
): Checked<typeof EMPTY, { ok: true; payload: PayloadOf<'exit_destination'> }, 'badWallet' | 'missing'> {
  const payload = { address: plainText(text.address), name: text.name.trim(), purpose: text.purpose.trim() }
  const problems = {
    ...(!isAddress(payload.address) && { address: 'badWallet' as const }),
    ...(payload.name === '' && { name: 'missing' as const }),
    ...(payload.purpose === '' && { purpose: 'missing' as const }),
  }
  return Object.keys(problems).length === 0 ? { ok: true, payload } : { ok: false, problems }
}
