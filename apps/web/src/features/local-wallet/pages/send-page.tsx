import type { AppConfig, Receiver, WalletAsset } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  decimalsOf,
  formatAmount,
  formatExact,
  toAmount,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  addressText,
  Button,
  Card,
  type Checked,
  DesktopOnly,
  ErrorState,
  Fact,
  Facts,
  Form,
  FormColumns,
  FormSkeleton,
  Money,
  Notice,
  Page,
  Segmented,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import type { WalletBalances } from '../../../wallet/balance-reads.ts'
import { useBalances, useOwnAddress } from '../../../wallet/balances.ts'
import { ReceiverField, type ReceiverState, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import { isExpired, type PaymentRequest } from '../../../wallet/request/payment-request.ts'
import { RequestNotice } from '../../../wallet/request/request-notice.tsx'
import { RecentMoves } from '../components/move-row.tsx'
import { SendSheet } from '../components/send-sheet.tsx'
import { isDeadEnd, readIntent, type WalletSendDraft } from '../send-plan.ts'
import { maxEther } from '../wallet-view.ts'

/** Sends from the member's wallet, on chain. */
export default function SendPage() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const owner = useOwnAddress()
  const balances = useBalances()
  // A send with an unknown outcome is reported, or shown as a warning, before another one is started.
  const open = useQuery({
    queryKey: ['walletIntent'],
    enabled: config !== undefined && readIntent() !== null,
    queryFn: async () => {
      const { mayHaveSent, tellIntent } = await import('../send-run.ts')
      await tellIntent()
      return mayHaveSent(config!)
    },
  })
  return (
    <Page wide title={t('localWallet.send')}>
      {open.data === true && <Notice tone="warn">{t('localWallet.maybeSent')}</Notice>}
      {balances.data === undefined && balances.isError && (
        <ErrorState text={t('localWallet.unread')} onRetry={() => void balances.refetch()} />
      )}
      {balances.data === undefined && !balances.isError && <FormSkeleton />}
      {balances.data !== undefined && config !== undefined && (
        <SendForm config={config} owner={owner} balances={balances.data} />
      )}
    </Page>
  )
}

const ASSETS = ['USDT', 'AMC', 'ETH'] as const satisfies readonly WalletAsset[]

interface SendFormProps {
  config: AppConfig
  owner: string
  balances: WalletBalances
}

interface SendValues {
  asset: WalletAsset
  address: string
  amount: string
}

const EMPTY: SendValues = { asset: 'USDT', address: '', amount: '' }

/** A send that can be confirmed. */
interface Confirmed {
  draft: WalletSendDraft
  receiver: Receiver
}

type AddressProblem = 'addressRequired' | 'addressInvalid' | 'checking' | 'own' | 'contract'
type AmountProblem = 'amountRequired' | 'amountInvalid' | 'insufficient'

/** Asset, receiver and amount; then the sheet with the route, the fee and the steps. */
function SendForm({ config, owner, balances }: SendFormProps) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'wallet-send',
    initial: EMPTY,
    check: (values) => checkSend(values, { receiver, config, balances }),
    text: (problem, values) => {
      if (problem === 'addressInvalid') return addressText(t, values.address)
      if (problem !== 'insufficient') return t(`localWallet.problem.${problem}`)
      const most = balances[values.asset]
      return tooMuch(t, { typed: values.amount, most, use: values.asset === 'ETH' ? etherMax : most })
    },
    passing: ['checking'],
  })
  const { asset, address } = form.values
  const [confirmed, setConfirmed] = useState<Confirmed | null>(null)
  const [request, setRequest] = useState<PaymentRequest>({})
  const receiver: ReceiverState = useReceiver(address)
  const to = receiver.is === 'known' ? receiver.receiver.address : owner
  const etherMax: string | undefined = useEtherMax({
    config,
    owner,
    to,
    balance: balances.ETH,
    enabled: asset === 'ETH',
  })
  const fits =
    form.values.amount === '' || form.asTyped('amount') !== undefined ? null : toAmount(form.values.amount)
  return (
    <Form aria-label={t('localWallet.send')} onSubmit={form.submit(setConfirmed)}>
      <FormColumns
        side={
          <>
            <Card>
              <Facts>
                <Fact label={t('localWallet.arrives')}>
                  {fits === null ? (
                    <span className="text-muted">–</span>
                  ) : (
                    <Money amount={fits} unit={asset} exact className="text-16 font-semibold" />
                  )}
                </Fact>
                <Fact label={t('pay.network')}>{config.chain.name}</Fact>
              </Facts>
            </Card>
            <Notice tone="warn">{t('localWallet.final')}</Notice>
            <DesktopOnly>
              <RecentMoves />
            </DesktopOnly>
          </>
        }
        action={
          <Button type="submit" moves="agreed" block>
            {fits === null
              ? t('localWallet.continue')
              : t('localWallet.submit', { amount: `${formatExact(fits)} ${asset}` })}
          </Button>
        }
      >
        <RequestNotice request={request} />
        <Segmented
          label={t('localWallet.asset')}
          options={ASSETS.map((value) => ({ value, label: value, mark: value }))}
          {...form.field('asset')}
        />
        <AmountField
          label={t('localWallet.amount')}
          unit={asset}
          {...form.field('amount')}
          max={asset === 'ETH' ? etherMax : balances[asset]}
          aside={t('localWallet.inWallet', {
            amount: formatAmount(balances[asset], decimalsOf(asset)),
            asset,
          })}
        />
        <ReceiverField
          {...form.field('address')}
          state={receiver}
          onRequest={(scannedRequest) => {
            setRequest(scannedRequest)
            form.set(filledBy(scannedRequest))
          }}
        />
      </FormColumns>
      {confirmed !== null && (
        <SendSheet
          config={config}
          owner={owner}
          draft={confirmed.draft}
          receiver={confirmed.receiver}
          onSent={form.clear}
          onClose={() => setConfirmed(null)}
        />
      )}
    </Form>
  )
}

/** Returns the values that a request fills in; none after its last day. */
function filledBy(request: PaymentRequest & { to: string }): Partial<SendValues> {
  if (isExpired(request, Date.now())) return {}
  const { to, asset, amount } = request
  return { address: to, ...(asset && { asset }), ...(amount && { amount }) }
}

interface EtherMaxOptions {
  config: AppConfig
  owner: string
  /** The receiver, if there is one: a contract increases the fee. */
  to: string
  balance: string
  enabled: boolean
}

/** Ether also pays the fee, so a reserve for it remains; undefined while the fee is unknown. */
function useEtherMax({ config, owner, to, balance, enabled }: EtherMaxOptions): string | undefined {
  const draft: WalletSendDraft = { asset: 'ETH', amount: '0.000000', to, byContract: false }
  const { data } = useQuery({
    queryKey: ['walletFee', draft],
    enabled,
    queryFn: async () => (await import('../wallet-reads.ts')).estimateFee(config, owner, draft),
  })
  return data === undefined ? undefined : maxEther(balance, data)
}

interface SendFacts {
  receiver: ReceiverState
  config: AppConfig
  balances: WalletBalances
}

/** Checks receiver and amount against the balances of the wallet. */
function checkSend(
  { asset, amount }: SendValues,
  { receiver, config, balances }: SendFacts,
): Checked<SendValues, Confirmed & { ok: true }, AddressProblem | AmountProblem> {
  const wrongAddress = addressProblem(receiver, config)
  const wrongAmount = amountProblem(amount, balances[asset])
  if (wrongAddress !== null || wrongAmount !== null || receiver.is !== 'known')
    return {
      ok: false,
      problems: {
        ...(wrongAddress && { address: wrongAddress }),
        ...(wrongAmount && { amount: wrongAmount }),
      },
    }
  const { address: to, registered } = receiver.receiver
  const draft = { asset, amount: toAmount(amount)!, to, byContract: registered && asset !== 'ETH' }
  return { ok: true, draft, receiver: receiver.receiver }
}

function addressProblem(state: ReceiverState, config: AppConfig): AddressProblem | null {
  if (state.is === 'empty') return 'addressRequired'
  if (state.is === 'checking' || state.is === 'unreachable') return 'checking'
  if (state.is !== 'known') return 'addressInvalid'
  const { address, own } = state.receiver
  if (own) return 'own'
  return isDeadEnd(config, address) ? 'contract' : null
}

function amountProblem(typed: string, balance: string): AmountProblem | null {
  if (typed === '') return 'amountRequired'
  const amount = toAmount(typed)
  if (amount === null) return 'amountInvalid'
  return parseMicros(amount) > parseMicros(balance) ? 'insufficient' : null
}
