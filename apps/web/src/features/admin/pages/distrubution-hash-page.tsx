import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../../ui/card.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { GrantFile, type GrantText } from '../grants/grant-file.tsx'
import { batchOf, type GrantLine, withoutLines } from '../grants/grant-lines.ts'
import { SingleGrant } from '../grants/single-grant.tsx'
import { PrepareSheet, type Wanted } from '../proposals/prepare-sheet.tsx'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { ProposalSheet } from '../proposals/proposal-sheet.tsx'
import { useMay } from '../use-role.ts'

const FORMS = ['one', 'file'] as const
const EMPTY: GrantText = { name: '', text: '' }

/** Hash power for one member or a file of them, proposed together; below it what was proposed before, with its state. */
export default function DistrubutionHashPage() {
  const { t } = useTranslation()
  const may = useMay()
  const [form, setForm] = useState<(typeof FORMS)[number]>('one')
  const [file, setFile] = useState(EMPTY)
  const [wanted, setWanted] = useState<{ proposal: Wanted; lines: readonly GrantLine[] } | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const propose = async (name: string, lines: readonly GrantLine[]) => {
    const payload = { batch: await batchOf(name, lines), lines: lines.map(({ line: _, ...grant }) => grant) }
    setWanted({ proposal: { kind: 'hash_power', payload }, lines })
  }
  // The same grant to the same member twice on a day is taken for a mistake.
  const today = () => new Date().toISOString().slice(0, 10)
  return (
    <AdminPage title={t('admin.area.distrubutionHash')}>
      {may('operator') && (
        <>
          <Segmented
            label={t('admin.area.distrubutionHash')}
            options={FORMS.map((value) => ({ value, label: t(`admin.grants.form.${value}`) }))}
            value={form}
            onChange={setForm}
          />
          {form === 'one' ? (
            <SingleGrant onSubmit={(grant) => void propose(today(), [grant])} />
          ) : (
            <GrantFile
              value={file}
              onChange={setFile}
              onSubmit={(lines) => void propose(file.name || today(), lines)}
            />
          )}
        </>
      )}
      <Section title={t('admin.grants.before')}>
        <ProposalList show="all" kind="hash_power" onOpen={setShown} />
      </Section>
      {wanted !== null && (
        <PrepareSheet
          title={t('admin.kind.hash_power')}
          wanted={wanted.proposal}
          onClose={() => setWanted(null)}
          onDone={() => {
            if (form === 'file') setFile({ ...file, text: withoutLines(file.text, wanted.lines) })
          }}
        />
      )}
      {shown !== null && <ProposalSheet proposalId={shown} onClose={() => setShown(null)} />}
    </AdminPage>
  )
}
