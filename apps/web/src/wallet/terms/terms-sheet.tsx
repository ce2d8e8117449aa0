import { changedTerms, currentTerms, termsPath } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { inTime, useTranslation } from '../../lib/index.ts'
import { Button, ListSkeleton, Loaded, Section, Sheet, SheetDock } from '../../ui/index.ts'
import { TERMS_PARTS, type TermsName } from './terms-parts.ts'
import { TermsSections } from './terms-sections.tsx'

interface TermsSheetProps {
  /** The last version that the wallet accepted; null for none. */
  accepted: string | null
  busy: boolean
  onAccept: () => void
  /** Signs in without accepting, only for withdrawals; offered if it is given. */
  onDecline?: () => void
  onClose: () => void
}

const NAMES = Object.keys(TERMS_PARTS) as TermsName[]

async function published(version: string): Promise<string> {
  const answer = await inTime(fetch(termsPath(version)))
  if (!answer.ok) throw new Error(`the terms of ${version} could not be read`)
  return answer.text()
}

/** The terms and risks in force, their changes first, and the single confirmation, which the wallet signs. */
export default function TermsSheet({ accepted, busy, onAccept, onDecline, onClose }: TermsSheetProps) {
  const { t } = useTranslation()
  const { version } = currentTerms()
  const changed = useQuery({
    queryKey: ['terms', accepted, version],
    // Without an earlier version everything is new, and nothing is marked.
    queryFn: async () =>
      accepted === null ? [] : changedTerms(await published(accepted), await published(version)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const title = t(accepted === null ? 'consent.title' : 'consent.titleChanged')
  return (
    <Sheet
      open
      onClose={onClose}
      dismissible={!busy}
      title={title}
      description={accepted === null ? t('consent.about') : t('consent.aboutChanged', { version: accepted })}
    >
      <div className="flex flex-col gap-5 pt-2">
        <Loaded query={changed} skeleton={<ListSkeleton rows={6} />}>
          {(parts) => <Texts changed={parts} isFirst={accepted === null} />}
        </Loaded>
        <a
          href={termsPath(version)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center self-start text-14 font-medium text-accent"
        >
          {t('consent.english', { version })}
        </a>
        <SheetDock>
          <Button block busy={busy} disabled={changed.data === undefined} onClick={onAccept}>
            {t('consent.accept')}
          </Button>
          {onDecline !== undefined && (
            <Button block variant="secondary" disabled={busy} onClick={onDecline}>
              {t('consent.decline')}
            </Button>
          )}
          <Button block variant="quiet" disabled={busy} onClick={onClose}>
            {t('consent.later')}
          </Button>
        </SheetDock>
      </div>
    </Sheet>
  )
}

function Texts({ changed, isFirst }: { changed: readonly string[]; isFirst: boolean }) {
  const { t } = useTranslation()
  const isChanged = (part: string) => changed.includes(part)
  return (
    <>
      {changed.length > 0 && (
        <Section title={t('consent.whatChanged')}>
          {NAMES.map((name) => (
            <TermsSections key={name} name={name} only={isChanged} changed />
          ))}
        </Section>
      )}
      {NAMES.map((name) => (
        <Section
          key={name}
          title={
            isFirst ? t(`info.${name}.title`) : t('consent.unchanged', { title: t(`info.${name}.title`) })
          }
        >
          <TermsSections name={name} only={(part) => !isChanged(part)} />
        </Section>
      ))}
    </>
  )
}
