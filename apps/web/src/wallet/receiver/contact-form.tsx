import type { Contact } from '@rif/api-schema'
import type { FormEvent } from 'react'
import { isShownText, useTranslation } from '../../lib/index.ts'
import { Address, Button, StopWaiting, TextField, useSheetValues } from '../../ui/index.ts'
import { useSignedMutation } from '../member-consent.ts'
import { NoteField, useNoteDraft } from './note-draft.tsx'

const MAX_LENGTH = 40
const REFRESH = ['contacts', 'names', 'receiver', 'transfers'] as const

export interface ContactFormProps {
  contact: Pick<Contact, 'address' | 'label'>
  onDone: () => void
}

/** Saves an address under a name, renames it, or removes it: the wallet signs each change. A note about it needs no signature. */
export function ContactForm({ contact, onDone }: ContactFormProps) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues(`contact ${contact.address}`, { label: contact.label ?? '' })
  const save = useSignedMutation('saveContact', { refresh: REFRESH })
  const remove = useSignedMutation('removeContact', { refresh: REFRESH })
  const { address } = contact
  const lower = address.toLowerCase()
  const label = values.label.trim()
  const note = useNoteDraft(address)
  const isNamed = label !== '' && label !== contact.label
  const isOdd = !isShownText(label)
  const canSave =
    (isNamed || note.isChanged) && !isOdd && !note.isOdd && !(label === '' && contact.label !== null)
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    // The form of a page that this one is in.
    event.stopPropagation()
    if (!canSave) return
    try {
      await note.save()
    } catch {
      // Shown by the API client; the texts stay.
      return
    }
    if (!isNamed) return onDone()
    const wish = { kind: 'save_address', address: lower, label } as const
    save.send({ body: { address, label }, wish, needed: true }, onDone)
  }
  const onRemove = () => {
    const wish = { kind: 'remove_address', address: lower } as const
    remove.send({ body: { address }, wish, needed: true }, onDone)
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void onSubmit(event)}>
      <Address value={address} form="full" copy={false} className="text-14 text-muted" />
      <TextField
        label={t('receiver.nameLabel')}
        hint={t('wallet.signHint')}
        error={isOdd ? t('tree.labelOdd') : undefined}
        maxLength={MAX_LENGTH}
        value={values.label}
        onChange={(event) => set({ label: event.target.value })}
      />
      <NoteField draft={note} />
      <Button type="submit" block busy={save.isPending || note.isPending} disabled={!canSave}>
        {t('receiver.save')}
      </Button>
      <StopWaiting />
      {contact.label !== null && (
        <Button variant="danger" block busy={remove.isPending} onClick={onRemove}>
          {t('receiver.remove')}
        </Button>
      )}
      <Button variant="secondary" block onClick={onDone}>
        {t('common.back')}
      </Button>
    </form>
  )
}
