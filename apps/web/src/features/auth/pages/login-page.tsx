import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import {
  type InviteNode,
  PageLink,
  readInvite,
  saveInvite,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Button,
  ButtonStack,
  Card,
  IconButton,
  LanguageSheet,
  Notice,
  Page,
  Skeleton,
  type Step,
  Stepper,
} from '../../../ui/index.ts'
import { disconnectWallet } from '../../../wallet/connection.ts'
import { type SignIn, type SignInStage, useSignIn } from '../use-sign-in.ts'

// Most sign in without a new invitation; its form is loaded for those who bring one.
const InviteCard = lazy(() => import('../components/invite-card.tsx'))
const ConnectSheet = lazy(() => import('../../../wallet/connect-sheet.tsx'))

/** The way in: what this is and what it risks, the invitation, the wallet, and the steps of signing in plain words. */
export default function LoginPage() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const [invite, setInvite] = useInvite()
  const [choosing, setChoosing] = useState(false)
  const [language, setLanguage] = useState(false)
  const signIn = useSignIn(config, invite)
  return (
    <Page
      title={t('common.appTitle')}
      back={false}
      actions={<IconButton icon="globe" label={t('language.title')} onClick={() => setLanguage(true)} />}
      footer={
        <SignInButtons signIn={signIn} ready={config !== undefined} onChoose={() => setChoosing(true)} />
      }
    >
      <div className="flex flex-col gap-2 py-2">
        <p className="text-20 font-semibold">{t('login.headline')}</p>
        <p className="text-16 text-muted">{t('login.about')}</p>
      </div>
      <Suspense fallback={<Skeleton className="h-52 rounded-12" />}>
        {(invite !== null || signIn.stage === 'invite') && (
          <InviteCard invite={invite} offered={config?.demo_invite_code ?? ''} onChange={setInvite} />
        )}
      </Suspense>
      <SignInSteps stage={signIn.stage} connected={signIn.address !== null} />
      <Notice tone="warn" title={t('risk.title')}>
        {t('risk.text')}
      </Notice>
      <nav
        aria-label={t('info.section')}
        className="flex flex-wrap justify-center gap-x-2 text-14 text-accent"
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
              void signIn.connect(choice)
            }}
          />
        )}
      </Suspense>
      <LanguageSheet open={language} onClose={() => setLanguage(false)} />
    </Page>
  )
}

/** The invitation of the link, or the one kept from an earlier visit. */
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
  const at = stage === 'invite' ? 1 : stage === 'idle' && connected ? 1 : ORDER.indexOf(stage)
  const running = stage !== 'idle' && stage !== 'invite'
  const steps = ORDER.map(
    (id, index): Step => ({
      id,
      title: t(`login.step.${id as 'connect' | 'check' | 'sign'}`),
      detail: t(`login.stepHint.${id as 'connect' | 'check' | 'sign'}`),
      state: index < at ? 'done' : index === at && running ? 'active' : 'waiting',
    }),
  )
  return (
    <Card>
      <Stepper label={t('login.steps')} steps={steps} />
    </Card>
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
  const busy = signIn.stage !== 'idle' && signIn.stage !== 'invite'
  if (signIn.address === null || signIn.stage === 'connect') {
    return (
      <Button block icon="wallet" busy={busy} onClick={onChoose}>
        {t('login.connect')}
      </Button>
    )
  }
  return (
    <ButtonStack>
      <p className="flex items-center justify-center gap-1 text-14 text-muted">
        <Address value={signIn.address} />
      </p>
      <Button block busy={busy} disabled={!ready} onClick={() => void signIn.resume()}>
        {t('login.sign')}
      </Button>
      <Button block variant="quiet" disabled={busy} onClick={disconnectWallet}>
        {t('login.otherWallet')}
      </Button>
    </ButtonStack>
  )
}
