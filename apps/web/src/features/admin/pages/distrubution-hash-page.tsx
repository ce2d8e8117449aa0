import { useTranslation } from '../../../lib/index.ts'
import { Section, Segmented, useKeptValues } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { GrantFile } from '../grants/grant-file.tsx'
import { type GrantLine, grantProposal, withoutLines } from '../grants/grant-lines.ts'
import { SingleGrant } from '../grants/single-grant.tsx'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { useMay } from '../use-role.ts'

const FORMS = ['one', 'file'] as const
type GrantForm = (typeof FORMS)[number]

/** Hash power for one member or a file of them, proposed together; below it what was proposed before, with its state. */
export default function DistrubutionHashPage() {
  const { t } = useTranslation()
  const may = useMay()
  const { values, set, field } = useKeptValues('grants', { form: 'one' as GrantForm, name: '', text: '' })
  const { want, show, sheets } = useProposals()
  const propose = async (name: string, lines: readonly GrantLine[], onDone: () => void) =>
    want(await grantProposal(name, lines), onDone)
  // The same grant to the same member twice on a day is taken for a mistake.
  const today = () => new Date().toISOString().slice(0, 10)
  return (
    <AdminPage title={t('admin.area.distrubutionHash')}>
      {may('operator') && (
        <>
          <Segmented
            label={t('admin.area.distrubutionHash')}
            options={FORMS.map((value) => ({ value, label: t(`admin.grants.form.${value}`) }))}
            {...field('form')}
          />
          {values.form === 'one' ? (
            <SingleGrant onSubmit={(grant, onDone) => void propose(today(), [grant], onDone)} />
          ) : (
            <GrantFile
              value={values}
              onChange={set}
              onSubmit={(lines) =>
                void propose(values.name || today(), lines, () =>
                  set({ text: withoutLines(values.text, lines) }),
                )
              }
            />
          )}
        </>
      )}
      <Section title={t('admin.grants.before')}>
        <ProposalList show="all" kind="hash_power" onOpen={show} />
      </Section>
      {sheets}
    </AdminPage>
  )
}
