import { useId, useRef, useState } from 'react'
import {
  ApiError,
  call,
  formatAmount,
  plainText,
  showModal,
  toAmount,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  type Checked,
  FieldFrame,
  NumberField,
  Section,
  Segmented,
  TextField,
  useDraftForm,
  useKeptValues,
} from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import {
  type BadLine,
  type GrantLine,
  type GrantProblem,
  grantProposal,
  isAddress,
  MAX_GRANTS,
  readGrants,
  withoutLines,
} from '../grants/grant-lines.ts'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

const FORMS = ['one', 'file'] as const
type GrantForm = (typeof FORMS)[number]

/**
 * Hash power for one member or a file of members, proposed together; below it earlier proposals, with their
 * state.
 */
export default function DistrubutionHashPage() {
  const { t } = useTranslation()
  const may = useMay()
  const { values, set, field } = useKeptValues('grants', { form: 'one' as GrantForm, name: '', text: '' })
  const { want, sheets } = useProposals()
  const propose = async (name: string, lines: readonly GrantLine[], onDone: () => void) =>
    want(await grantProposal(name, lines), onDone)
  // A repeated grant to the same member on a day counts as a mistake.
  const today = () => new Date().toISOString().slice(0, 10)
  return (
    <AdminPage title={t('admin.area.distrubutionHash')} about={t('admin.about.distrubutionHash')}>
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
        <ProposalList kind="hash_power" label={t('admin.grants.before')} />
      </Section>
      {sheets}
    </AdminPage>
  )
}

/** The text of a file and its source; it stays until its lines are proposed. */
interface GrantText {
  name: string
  text: string
}

interface GrantFileProps {
  value: GrantText
  onChange: (value: GrantText) => void
  /** The valid lines, which the server has checked too. */
  onSubmit: (lines: readonly GrantLine[]) => void
}

/**
 * A file of grants, checked here and by the server: problems are shown by line and can be corrected in place;
 * valid lines can be proposed alone.
 */
function GrantFile({ value, onChange, onSubmit }: GrantFileProps) {
  const { t } = useTranslation()
  const id = useId()
  const file = useRef<HTMLInputElement>(null)
  const [strangers, setStrangers] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const { good, bad, total } = readGrants(value.text, strangers)
  const tooMany = good.length > MAX_GRANTS
  const check = async () => {
    setBusy(true)
    const unknown = await strangersOf(value.name, good).finally(() => setBusy(false))
    if (unknown === null) return
    if (unknown.length === 0) onSubmit(good)
    else setStrangers(new Set([...strangers, ...unknown]))
  }
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" onClick={() => file.current?.click()}>
          {t('admin.grants.choose')}
        </Button>
        <span className="wrap-anywhere text-14 text-muted">{value.name}</span>
        <input
          ref={file}
          type="file"
          accept=".csv,text/csv,text/plain"
          hidden
          onChange={async ({ target }) => {
            const chosen = target.files?.[0]
            // Allows choosing the same file again.
            target.value = ''
            if (chosen !== undefined) onChange({ name: chosen.name, text: await chosen.text() })
          }}
        />
      </div>
      <FieldFrame id={id} label={t('admin.grants.lines')} hint={t('admin.grants.linesHint')}>
        <textarea
          id={id}
          rows={6}
          spellCheck={false}
          aria-describedby={`${id}-note`}
          className="w-full overflow-auto whitespace-pre rounded-12 border border-line bg-card p-3 text-14 outline-accent"
          value={value.text}
          onChange={(event) => onChange({ ...value, text: event.target.value })}
        />
      </FieldFrame>
      {bad.length > 0 && <BadLines lines={bad} />}
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="min-w-60 flex-1 text-14">
          {t('admin.grants.sum', { good: good.length, bad: bad.length, total: formatAmount(total) })}
          {tooMany && (
            <span className="block text-bad">{t('admin.grants.tooMany', { most: MAX_GRANTS })}</span>
          )}
        </p>
        <Button busy={busy} disabled={good.length === 0 || tooMany} onClick={() => void check()}>
          {bad.length > 0
            ? t('admin.grants.proposeGood', { count: good.length })
            : t('admin.grants.propose', { count: good.length })}
        </Button>
      </div>
    </Card>
  )
}

function BadLines({ lines }: { lines: readonly BadLine[] }) {
  const { t } = useTranslation()
  return (
    <ul
      aria-label={t('admin.grants.bad')}
      className="max-h-72 overflow-auto rounded-12 bg-sunken py-1 text-14"
    >
      {lines.map(({ line, text, problem }) => (
        <li key={line} className="flex flex-wrap gap-x-3 px-3 py-2">
          <span className="font-semibold tabular-nums">{t('admin.grants.line', { line })}</span>
          <span className="text-bad">{t(`admin.grants.problem.${problem}`)}</span>
          <span className="wrap-anywhere w-full text-12 text-muted">{text}</span>
        </li>
      ))}
    </ul>
  )
}

/**
 * Makes the server check the lines. Returns the lower-case addresses without a member, or null after another
 * failure, which was shown.
 */
async function strangersOf(name: string, lines: readonly GrantLine[]): Promise<string[] | null> {
  const proposal = await grantProposal(name, lines)
  try {
    await call('previewProposal', { body: { ...proposal, reason: 'preview' } }, { quiet: true })
    return []
  } catch (error) {
    const at =
      error instanceof ApiError && error.error === 'MEMBER_NOT_FOUND' ? error.details.lines : undefined
    if (typeof at === 'string')
      return at.split(',').map((line) => lines[Number(line) - 1]!.address.toLowerCase())
    const content = error instanceof Error ? error.message : String(error)
    await showModal({ content, showCancel: false })
    return null
  }
}

const EMPTY = { address: '', amount: '', reason: '' }

function checkGrant(text: typeof EMPTY): Checked<typeof EMPTY, { ok: true; grant: GrantLine }, GrantProblem> {
  const [address, amount, reason] = [plainText(text.address), toAmount(text.amount), text.reason.trim()]
  if (isAddress(address) && amount !== null && reason !== '')
    return { ok: true, grant: { line: 1, address, amount, reason } }
  return {
    ok: false,
    problems: {
      ...(!isAddress(address) && { address: 'address' }),
      ...(amount === null && { amount: 'amount' }),
      ...(reason === '' && { reason: 'reason' }),
    },
  }
}

/** Asks for a grant to one member; typed text stays until it is proposed. */
function SingleGrant({ onSubmit }: { onSubmit: (grant: GrantLine, onDone: () => void) => void }) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'grant',
    initial: EMPTY,
    check: checkGrant,
    text: (problem) => t(`admin.grants.problem.${problem}`),
    recheck: true,
  })
  return (
    <Card>
      <form
        className="grid grid-cols-1 items-start gap-4 md:grid-cols-2 2xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,2fr)_auto]"
        onSubmit={form.submit(({ grant }) => onSubmit(grant, form.reset))}
      >
        <TextField label={t('admin.grants.address')} {...form.textField('address')} />
        <NumberField label={t('admin.grants.amount')} unit="RIF" {...form.field('amount')} />
        <TextField label={t('admin.grants.what')} maxLength={200} {...form.textField('reason')} />
        <Button type="submit" className="md:mt-7 lg:mt-8.5">
          {t('admin.grants.goOn')}
        </Button>
      </form>
    </Card>
  )
}
