import { isShownText, useApiMutation, useTranslation } from '../../lib/index.ts'
import { TextArea, useSheetValues } from '../../ui/index.ts'
import { useNames } from './names.tsx'

const MAX_LENGTH = 200

/** The note about an address while it is edited. `save` does nothing when it has not changed; it throws what the API refused. */
export function useNoteDraft(address: string) {
  const { note } = useNames()(address)
  const { values, set } = useSheetValues(`note ${address}`, { typed: '', isTyped: false })
  const mutation = useApiMutation('setNote', { refresh: ['names', 'relation'] })
  const text = values.isTyped ? values.typed : (note ?? '')
  const isChanged = text.trim() !== (note ?? '')
  return {
    text,
    setText: (typed: string) => set({ typed, isTyped: true }),
    isChanged,
    isOdd: !isShownText(text),
    isPending: mutation.isPending,
    async save(): Promise<void> {
      if (isChanged) await mutation.mutateAsync({ body: { address, note: text.trim() } })
    },
  }
}

/** The field of a note: one paragraph that only the member sees. */
export function NoteField({
  draft: { text, setText, isOdd: odd },
}: {
  draft: ReturnType<typeof useNoteDraft>
}) {
  const { t } = useTranslation()
  return (
    <TextArea
      label={t('note.label')}
      aside={`${text.length} / ${MAX_LENGTH}`}
      hint={t('note.hint')}
      error={odd ? t('tree.labelOdd') : undefined}
      rows={3}
      maxLength={MAX_LENGTH}
      value={text}
      onChange={(event) => setText(event.target.value.replaceAll(/[\r\n]+/g, ' '))}
    />
  )
}
