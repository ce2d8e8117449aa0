import { changedTerms, type TermsVersion, termsPath } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../lib/index.ts'
import { Button, ListSkeleton, Loaded, Section, Sheet, SheetDock } from '../../ui/index.ts'
import { TERMS_PARTS, type TermsName } from './terms-parts.ts'
import { figuresQuery, TermsSections } from './terms-sections.tsx'
import { publishedTerms } from './terms-text.ts'

interface TermsSheetProps {
  /** The text to accept, which is in force. */
  terms: TermsVersion
  /** The last version that the wallet accepted; null for none. */
  accepted: string | null
  busy: boolean
  onAccept: () => void
  /** Signs in without accepting, only for withdrawals; offered if it is given. */
  onDecline?: () => void
  onClose: () => void
}

const NAMES = Object.keys(TERMS_PARTS) as TermsName[]

/** The terms and risks in force, their changes first, and the single confirmation, which the wallet signs. */
export default function TermsSheet({ terms, accepted, busy, onAccept, onDecline, onClose }: TermsSheetProps) {
  const { t } = useTranslation()
  const { version } = terms
  const changed = useQuery({
    queryKey: ['terms', accepted, version],
    // Without an earlier version everything is new, and nothing is marked.
    queryFn: async () =>
      accepted === null ? [] : changedTerms(await publishedTerms(accepted), await publishedTerms(version)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  // Nobody signs what is not shown.
  const isShown = useQuery(figuresQuery(terms)).data !== undefined && changed.data !== undefined
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
          {(parts) => <Texts terms={terms} changed={parts} isFirst={accepted === null} />}
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
          <Button block busy={busy} disabled={!isShown} onClick={onAccept}>
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

interface TextsProps {
  terms: TermsVersion
  changed: readonly string[]
  isFirst: boolean
}

function Texts({ terms, changed, isFirst }: TextsProps) {
  const { t } = useTranslation()
  const isChanged = (part: string) => changed.includes(part)
  return (
    <>
      {changed.length > 0 && (
        <Section title={t('consent.whatChanged')}>
          {NAMES.map((name) => (
            <TermsSections key={name} name={name} terms={terms} only={isChanged} changed />
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
          <TermsSections name={name} terms={terms} only={(part) => !isChanged(part)} />
        </Section>
      ))}
    </>
  )
}
