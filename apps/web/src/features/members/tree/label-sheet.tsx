import type { MemberLabel } from '@rif/api-schema'
import { type FormEvent, useState } from 'react'
import { shortAddress, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, ButtonStack, Sheet, Switch, TextField } from '../../../ui/index.ts'
import type { TreeEntry } from './tree-model.ts'

const MAX_LENGTH = 40

export interface LabelSheetProps {
  entry: TreeEntry | null
  label: MemberLabel | undefined
  onClose: () => void
}

/** The member's own name and pin for a node. It stays private and moves nobody. */
export function LabelSheet({ entry, label, onClose }: LabelSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={entry !== null}
      onClose={onClose}
      title={t('tree.edit')}
      description={entry === null ? '' : t('tree.editHint', { address: shortAddress(entry.member.label) })}
    >
      {entry !== null && <LabelForm key={entry.member.id} entry={entry} label={label} onClose={onClose} />}
    </Sheet>
  )
}

function LabelForm({ entry, label, onClose }: LabelSheetProps & { entry: TreeEntry }) {
  const { t } = useTranslation()
  const [text, setText] = useState(label?.label ?? '')
  const [pinned, setPinned] = useState(label?.pinned ?? false)
  const save = useApiMutation('setLabel', { refresh: ['labels'] })
  const isOdd = !/^(?:[^\p{C}\p{Zl}\p{Zp}]|\u200d)*$/u.test(text)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isOdd) return
    try {
      await save.mutateAsync({ body: { member_id: entry.member.id, label: text.trim(), pinned } })
      showToast(t('tree.saved'), { tone: 'good' })
      onClose()
    } catch {
      // Shown by the API client; the text stays.
    }
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('tree.label')}
        hint={t('tree.labelHint')}
        error={isOdd ? t('tree.labelOdd') : undefined}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Switch label={t('tree.pin')} checked={pinned} onChange={setPinned} />
      <ButtonStack>
        <Button type="submit" block busy={save.isPending}>
          {t('tree.save')}
        </Button>
      </ButtonStack>
    </form>
  )
}
