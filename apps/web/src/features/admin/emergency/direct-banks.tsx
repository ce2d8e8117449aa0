import type { AppConfig, BankFacts } from '@rif/api-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import {
  PageLink,
  plainText,
  shortAddress,
  showModal,
  useAppConfig,
  useTranslation,
  WATCH_MS,
} from '../../../lib/index.ts'
import {
  AddressFact,
  Button,
  buttonClass,
  Card,
  type Checked,
  Fact,
  Facts,
  Form,
  ListSkeleton,
  Loaded,
  Notice,
  Section,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import type { UsedWallet } from '../../../wallet/admin-calls.ts'
import type { WalletChoice } from '../../../wallet/connection.ts'
import {
  callDirectBank,
  cancelDirectExit,
  connectDirect,
  type DirectBank,
  readBankFacts,
  readDirectBank,
  readDirectExit,
} from '../../../wallet/direct-bank.ts'
import { walletErrorText } from '../../../wallet/provider.ts'
import { UtcTime } from '../components/utc-time.tsx'
import { type BankSheetProps, bankCallText } from './bank-sheet.tsx'
import { OneBank } from './bank-switches.tsx'
import { TransactionSheet } from './send-sheet.tsx'

const ConnectSheet = lazy(() => import('../../../wallet/connect-sheet.tsx'))

/** Why the page works through the wallet alone. */
export type DirectReason = 'signedOut' | 'away' | 'noRole' | 'noNode'

const FACTS_MS = 5 * 60_000

/** The switches of the bank contracts through a wallet alone, which need neither a session nor the database. */
export function DirectBanks({ reason }: { reason: DirectReason }) {
  const { t } = useTranslation()
  const facts = useQuery({ queryKey: ['bankFacts'], queryFn: readBankFacts, staleTime: FACTS_MS })
  return (
    <Section title={t('admin.emergency.chain')}>
      <Notice tone={reason === 'away' || reason === 'noNode' ? 'warn' : 'info'}>
        <span className="block">{t(`admin.emergency.direct.${reason}`)}</span>
        <span className="block">{t('admin.emergency.direct.about')}</span>
      </Notice>
      {reason === 'signedOut' && (
        <PageLink to="/pages/login/index" className={buttonClass('secondary')}>
          {t('login.sign')}
        </PageLink>
      )}
      <Loaded query={facts} skeleton={<ListSkeleton rows={2} />}>
        {(bankFacts) => <WithFacts facts={bankFacts} />}
      </Loaded>
    </Section>
  )
}

function WithFacts({ facts }: { facts: BankFacts }) {
  const { t } = useTranslation()
  const demo: AppConfig['demo'] = useAppConfig()?.demo ?? null
  const [wallet, setWallet] = useState<UsedWallet | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const config = { ...facts, demo }
  const connect = async (choice: WalletChoice) => {
    setChoosing(false)
    try {
      setWallet(await connectDirect(choice, config))
    } catch (error) {
      const content = walletErrorText(error)
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
    }
  }
  const banks = [...facts.former_banks, facts.contracts.bank]
  return (
    <>
      <Card className="flex flex-col gap-3">
        <Facts>
          <Fact label={t('admin.emergency.direct.chain')}>{`${facts.chain.name} (${facts.chain.id})`}</Fact>
          {banks.map((bank) => (
            <AddressFact key={bank} label={t('admin.emergency.direct.bank')} value={bank} />
          ))}
          {wallet !== null && (
            <AddressFact label={t('admin.emergency.direct.wallet')} value={wallet.account} />
          )}
        </Facts>
        <Button variant={wallet === null ? 'primary' : 'secondary'} onClick={() => setChoosing(true)}>
          {t(wallet === null ? 'login.connect' : 'login.otherWallet')}
        </Button>
      </Card>
      {wallet !== null &&
        banks.map((bank) => (
          <Bank key={bank} facts={facts} wallet={wallet} bank={bank} isOnly={banks.length === 1} />
        ))}
      {isChoosing && (
        <Suspense>
          <ConnectSheet
            open
            onClose={() => setChoosing(false)}
            config={config}
            onChoose={(choice) => void connect(choice)}
          />
        </Suspense>
      )}
    </>
  )
}

interface BankProps {
  facts: BankFacts
  wallet: UsedWallet
  bank: string
}

function Bank({ facts, wallet, bank, isOnly }: BankProps & { isOnly: boolean }) {
  const client = useQueryClient()
  const queryKey = ['directBank', bank, wallet.account]
  const query = useQuery({
    queryKey,
    queryFn: () => readDirectBank(wallet, facts, bank),
    refetchInterval: WATCH_MS,
  })
  const labelOf = (text: string) => (isOnly ? text : `${text}, ${shortAddress(bank)}`)
  const onDone = () => client.invalidateQueries({ queryKey })
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
      {(state) =>
        state !== null && (
          <>
            <OneBank
              state={state}
              labelOf={labelOf}
              mayAsk={true}
              mayRaise={false}
              otherKeys={state.claim_keys.slice(1)}
              sheet={(sheetProps) => <CallSheet {...{ request: sheetProps, facts, wallet, state, onDone }} />}
            />
            <ExitCard {...{ facts, wallet, bank, labelOf }} />
          </>
        )
      }
    </Loaded>
  )
}

interface CallSheetProps {
  request: BankSheetProps
  facts: BankFacts
  wallet: UsedWallet
  state: DirectBank
  onDone: () => Promise<unknown>
}

/** Explains a call of a bank, then opens the wallet. The product does not hear of it before. */
function CallSheet({ request: { what, onSent, onClose }, facts, wallet, state, onDone }: CallSheetProps) {
  const { t } = useTranslation()
  const text = bankCallText(what.call)
  return (
    <TransactionSheet
      title={t(`admin.emergency.call.${text}`)}
      does={`${t(`admin.emergency.does.${text}`)} ${t('admin.emergency.direct.unannounced')}`}
      bank={what.bank}
      from={wallet.account}
      onClose={onClose}
      onSent={onSent}
      onDone={onDone}
      send={() => callDirectBank(wallet, facts, state, what)}
    >
      {what.subject !== 'bank' && (
        <AddressFact label={t('admin.emergency.queue.subject')} value={what.subject} copy={false} />
      )}
    </TransactionSheet>
  )
}

type ExitCheck = Checked<{ number: string }, { ok: true; exitId: bigint }, 'badNumber'>

/** Finds an announced exit by its number on chain, which the event ExitAnnounced shows, and cancels it. */
function ExitCard({ facts, wallet, bank, labelOf }: BankProps & { labelOf: (text: string) => string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [exitId, setExitId] = useState<bigint | null>(null)
  const { textField, submit } = useDraftForm({
    name: `exit ${bank}`,
    initial: { number: '' },
    check: ({ number }): ExitCheck =>
      /^\d{1,78}$/.test(plainText(number))
        ? { ok: true, exitId: BigInt(plainText(number)) }
        : { ok: false, problems: { number: 'badNumber' } },
    text: (problem) => t(`admin.emergency.direct.exit.${problem}`),
    recheck: true,
  })
  const queryKey = ['directExit', bank, `${exitId}`]
  return (
    <section aria-label={labelOf(t('admin.emergency.direct.exit.title'))}>
      <Card className="flex flex-col gap-3">
        <h3 className="text-16 font-semibold">{t('admin.emergency.direct.exit.title')}</h3>
        <p className="text-14 text-muted">{t('admin.emergency.direct.exit.about')}</p>
        <Form className="gap-3" onSubmit={submit((request) => setExitId(request.exitId))}>
          <TextField
            label={t('admin.emergency.direct.exit.number')}
            inputMode="numeric"
            autoComplete="off"
            {...textField('number')}
          />
          <Button variant="secondary" type="submit">
            {t('admin.emergency.direct.exit.find')}
          </Button>
        </Form>
        {exitId !== null && (
          <FoundExit
            facts={facts}
            wallet={wallet}
            bank={bank}
            exitId={exitId}
            queryKey={queryKey}
            onDone={() => client.invalidateQueries({ queryKey })}
          />
        )}
      </Card>
    </section>
  )
}

interface FoundExitProps extends BankProps {
  exitId: bigint
  queryKey: readonly string[]
  onDone: () => Promise<unknown>
}

function FoundExit({ facts, wallet, bank, exitId, queryKey, onDone }: FoundExitProps): ReactNode {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  const query = useQuery({ queryKey, queryFn: () => readDirectExit(wallet, facts, { bank, exitId }) })
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={1} />}>
      {({ state, executableAt }) => (
        <>
          <p className="text-14 font-medium">{t(`admin.emergency.direct.exit.${state}`)}</p>
          {state === 'announced' && (
            <>
              <Facts>
                <Fact label={t('admin.emergency.queue.from')}>
                  <UtcTime value={executableAt} />
                </Fact>
              </Facts>
              <Button variant="danger" onClick={() => setAsks(true)}>
                {t('admin.treasury.call.cancel')}
              </Button>
            </>
          )}
          {asks && (
            <TransactionSheet
              title={t('admin.treasury.call.cancel')}
              does={`${t('admin.treasury.does.cancel')} ${t('admin.emergency.direct.unannounced')}`}
              bank={bank}
              from={wallet.account}
              onDone={onDone}
              onClose={() => setAsks(false)}
              send={() => cancelDirectExit(wallet, facts, { bank, exitId })}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
