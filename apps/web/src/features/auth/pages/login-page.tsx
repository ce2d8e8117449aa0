import { normaliseInviteCode } from '@rif/rules'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import {
  endedSession,
  type InviteNode,
  LANGUAGE_OPTIONS,
  PageLink,
  readInvite,
  saveInvite,
  useAppConfig,
  useLanguageOption,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Brand,
  Button,
  ButtonStack,
  focusFault,
  Icon,
  LanguageSheet,
  Notice,
  PageHeading,
  Skeleton,
  type Step,
  Stepper,
} from '../../../ui/index.ts'
import { ProofTree } from '../components/proof-tree.tsx'
import { type SignIn, type SignInStage, useSignIn } from '../use-sign-in.ts'

// Most visitors sign in without a new invitation; its form is loaded only for those with one.
const InviteCard = lazy(() => import('../components/invite-card.tsx'))
const RefusedNotice = lazy(() => import('../components/refused-notice.tsx'))
const ConnectSheet = lazy(() => import('../../../wallet/connect-sheet.tsx'))
const TermsSheet = lazy(() => import('../../../wallet/terms/terms-sheet.tsx'))

/**
 * The login page: the product, the invitation, the wallet, the sign-in steps in plain words, and the risks.
 */
export default function LoginPage() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const [invite, setInvite] = useInvite()
  const [draft, setDraft] = useState<InviteNode | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const [hasEnded] = useState(() => endedSession() !== null)
  const signIn = useSignIn(config)
  const typed = draft ?? { code: config?.demo_invite_code ?? '', side: 'auto' }
  const needsCode = signIn.stage === 'invite' && invite === null

  const submit = (form: HTMLFormElement) => {
    if (!needsCode) return void signIn.resume(invite)
    const fullInvite = { ...typed, code: normaliseInviteCode(typed.code) }
    setMissing(fullInvite.code === '')
    if (fullInvite.code === '' || focusFault(form)) return
    setInvite(fullInvite)
    void signIn.resume(fullInvite)
  }
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-2">
      <Welcome />
      <main className="column relative z-1 -mt-5 rounded-t-24 bg-page px-4 pt-5 pb-8 lg:my-auto lg:[--column:30rem]">
        <form
          className="flex flex-col gap-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit(event.currentTarget)
          }}
        >
          {hasEnded && (
            <Notice icon="lock" title={t('login.ended')}>
              {t('login.endedText')}
            </Notice>
          )}
          <Suspense>{config?.refused && <RefusedNotice level={config.refused.level} />}</Suspense>
          <Suspense fallback={<Skeleton className="h-29 rounded-16" />}>
            {(invite !== null || needsCode) && (
              <InviteCard
                invite={invite}
                draft={typed}
                isMissing={isMissing}
                onDraft={(next) => {
                  setMissing(false)
                  setDraft(next)
                }}
                onRemove={() => setInvite(null)}
              />
            )}
          </Suspense>
          <SignInButtons signIn={signIn} ready={config !== undefined} onChoose={() => setChoosing(true)} />
          <p className="text-balance text-center text-12 text-muted">
            {t('login.accepts', { version: config?.terms.version ?? '…' })}
          </p>
          <SignInSteps stage={signIn.stage} connected={signIn.address !== null} />
          <Notice tone="warn" title={t('risk.title')}>
            {t('risk.text')}
          </Notice>
        </form>
        <nav
          aria-label={t('info.section')}
          className="flex flex-wrap justify-center gap-x-2 pt-4 text-14 text-accent"
        >
          {(['help', 'risk', 'terms'] as const).map((name) => (
            <PageLink
              key={name}
              to={`/pages/my/${name}`}
              className="inline-flex min-h-11 min-w-11 items-center justify-center px-2"
            >
              {t(`info.${name}.title`)}
            </PageLink>
          ))}
          <PageLink
            to="/pages/solvency"
            className="inline-flex min-h-11 min-w-11 items-center justify-center px-2"
          >
            {t('info.solvency')}
          </PageLink>
        </nav>
        <Suspense>
          {config !== undefined && choosing && (
            <ConnectSheet
              open
              config={config}
              onClose={() => setChoosing(false)}
              onChoose={(choice) => {
                setChoosing(false)
                void signIn.connect(choice, invite)
              }}
            />
          )}
          {signIn.stage === 'terms' && signIn.terms !== null && (
            <TermsSheet
              terms={signIn.terms.inForce}
              accepted={signIn.terms.accepted}
              busy={false}
              onAccept={() => void signIn.resume(invite, 'accept')}
              onDecline={() => void signIn.resume(invite, 'decline')}
              onClose={signIn.cancelTerms}
            />
          )}
        </Suspense>
      </main>
    </div>
  )
}

/** The brand field: what the product is, and the choice of the language. From 1024 px it stays beside the way in. */
function Welcome() {
  const { t } = useTranslation()
  const [language, setLanguage] = useState(false)
  const option = useLanguageOption()
  const name = LANGUAGE_OPTIONS.find(({ code }) => code === option)?.name || t('language.title')
  return (
    <header className="hero-field">
      <div className="column px-5 pb-14 lg:sticky lg:top-0 lg:flex lg:min-h-dvh lg:flex-col">
        <div className="flex h-16 items-center justify-between gap-3">
          <Brand />
          <button
            type="button"
            aria-label={t('language.title')}
            className="-mr-2 flex min-h-11 items-center gap-1.5 px-2 text-14 text-muted"
            onClick={() => setLanguage(true)}
          >
            <Icon name="globe" size={20} />
            {name}
          </button>
        </div>
        <div className="lg:my-auto">
          <div className="pt-3 pb-6">
            <ProofTree />
          </div>
          <PageHeading
            title={t('login.headline')}
            className="line-clamp-none! max-w-72 text-balance [word-break:auto-phrase] font-display text-36!"
          />
          <p className="pt-2.5 text-16 text-muted">{t('login.about')}</p>
        </div>
      </div>
      <LanguageSheet open={language} onClose={() => setLanguage(false)} />
    </header>
  )
}

/** The invitation from the link, or the one stored on an earlier visit. */
function useInvite() {
  const { code, side } = useSearch({ from: '/pages/login/index' })
  const [invite, setInvite] = useState<InviteNode | null>(() =>
    code === undefined ? readInvite() : { code, side: side ?? 'auto' },
  )
  useEffect(() => saveInvite(invite), [invite])
  return [invite, setInvite] as const
}

const ORDER: readonly SignInStage[] = ['connect', 'check', 'sign']

function SignInSteps({ stage, connected }: { stage: SignInStage; connected: boolean }) {
  const { t } = useTranslation()
  const running = ORDER.includes(stage)
  const at = running ? ORDER.indexOf(stage) : connected ? 1 : -1
  const steps = ORDER.map(
    (id, index): Step => ({
      id,
      title: t(`login.step.${id as 'connect' | 'check' | 'sign'}`),
      detail: t(`login.stepHint.${id as 'connect' | 'check' | 'sign'}`),
      state: index < at ? 'done' : index === at && running ? 'active' : 'waiting',
    }),
  )
  return (
    <div className="px-1 pt-2">
      <Stepper label={t('login.steps')} steps={steps} />
    </div>
  )
}

function SignInButtons({
  signIn,
  ready,
  onChoose,
}: {
  signIn: SignIn
  ready: boolean
  onChoose: () => void
}) {
  const { t } = useTranslation()
  const busy = ORDER.includes(signIn.stage)
  if (signIn.address === null || signIn.stage === 'connect') {
    return (
      <ButtonStack>
        <Button block icon="wallet" busy={busy} onClick={onChoose}>
          {t('login.connect')}
        </Button>
        {busy && (
          <Button block variant="quiet" onClick={onChoose}>
            {t('login.otherWallet')}
          </Button>
        )}
      </ButtonStack>
    )
  }
  return (
    <ButtonStack>
      <p className="flex items-center justify-center gap-1 text-14 text-muted">
        <Address value={signIn.address} />
      </p>
      <Button block type="submit" busy={busy} disabled={!ready}>
        {t('login.sign')}
      </Button>
      <Button block variant="quiet" onClick={signIn.leave}>
        {t('login.otherWallet')}
      </Button>
    </ButtonStack>
  )
}
