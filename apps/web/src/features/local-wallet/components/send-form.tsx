import type { AppConfig, Receiver, WalletAsset } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { toAmount } from '../../../lib/amount-input.ts'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { sameAddress } from '../../../wallet/eip1193.ts'
import { ReceiverField } from '../../../wallet/receiver/receiver-field.tsx'
import { type ReceiverState, useReceiver } from '../../../wallet/receiver/use-receiver.ts'
import type { WalletSendDraft } from '../send-plan.ts'
import type { WalletBalances } from '../wallet-reads.ts'
import { maxEther } from '../wallet-view.ts'
import { SendSheet } from './send-sheet.tsx'

const ASSETS = ['USDT', 'AMC', 'ETH'] as const satisfies readonly WalletAsset[]

interface SendFormProps {
  config: AppConfig
  owner: string
  balances: WalletBalances
}

/** What is typed and chosen. */
interface FormDraft {
  asset: WalletAsset
  address: string
  amount: string
}

type AddressProblem = 'addressRequired' | 'addressInvalid' | 'checking' | 'own' | 'contract'
type AmountProblem = 'amountRequired' | 'amountInvalid' | 'insufficient'

/** Asset, receiver, amount; then the sheet with the way, the fee and the steps. */
export function SendForm({ config, owner, balances }: SendFormProps) {
  const { t } = useTranslation()
  const {
    draft,
    change: setDraft,
    clear,
  } = useDraft<FormDraft>('wallet-send', { asset: 'USDT', address: '', amount: '' })
  const { asset, address, amount } = draft
  const [problems, setProblems] = useState<{ address?: AddressProblem; amount?: AmountProblem }>({})
  const [confirmed, setConfirmed] = useState<{ draft: WalletSendDraft; receiver: Receiver } | null>(null)
  const receiver = useReceiver(address)
  const to = receiver.is === 'known' ? receiver.receiver.address : owner
  const etherMax = useEtherMax({ config, owner, to, balance: balances.ETH, enabled: asset === 'ETH' })
  const change = (changes: Partial<FormDraft>) => {
    setDraft({ ...draft, ...changes })
    setProblems({})
  }
  const goOn = (event: FormEvent) => {
    event.preventDefault()
    const wrongAddress = addressProblem(receiver, config)
    const wrongAmount = amountProblem(amount, balances[asset])
    setProblems({
      ...(wrongAddress && { address: wrongAddress }),
      ...(wrongAmount && { amount: wrongAmount }),
    })
    if (wrongAddress !== null || wrongAmount !== null || receiver.is !== 'known') return
    const byContract = receiver.receiver.registered && asset !== 'ETH'
    const send = { asset, amount: toAmount(amount)!, to: receiver.receiver.address, byContract }
    setConfirmed({ draft: send, receiver: receiver.receiver })
  }
  return (
    <form aria-label={t('localWallet.send')} noValidate className="flex flex-col gap-4" onSubmit={goOn}>
      <Segmented
        label={t('localWallet.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        value={asset}
        onChange={(value) => change({ asset: value })}
      />
      <ReceiverField
        value={address}
        onChange={(value) => change({ address: value })}
        state={receiver}
        error={problems.address && t(`localWallet.problem.${problems.address}`)}
      />
      <AmountField
        label={t('localWallet.amount')}
        unit={asset}
        value={amount}
        onChange={(value) => change({ amount: value })}
        max={asset === 'ETH' ? etherMax : balances[asset]}
        aside={t('localWallet.inWallet', { amount: formatAmount(balances[asset]), asset })}
        error={problems.amount && t(`localWallet.problem.${problems.amount}`)}
      />
      <button type="submit" className={buttonClass('primary', true)}>
        {t('localWallet.continue')}
      </button>
      {confirmed !== null && (
        <SendSheet
          config={config}
          owner={owner}
          {...confirmed}
          onSent={clear}
          onClose={() => setConfirmed(null)}
        />
      )}
    </form>
  )
}

interface EtherMaxOptions {
  config: AppConfig
  owner: string
  /** The receiver, as far as there is one: a contract makes the send dearer. */
  to: string
  balance: string
  enabled: boolean
}

/** Ether pays the fee too, so room for it stays behind; undefined while the fee is not known. */
function useEtherMax({ config, owner, to, balance, enabled }: EtherMaxOptions): string | undefined {
  const draft: WalletSendDraft = { asset: 'ETH', amount: '0.000000', to, byContract: false }
  const { data } = useQuery({
    queryKey: ['walletFee', draft],
    enabled,
    queryFn: async () => (await import('../wallet-reads.ts')).estimateFee(config, owner, draft),
  })
  return data === undefined ? undefined : maxEther(balance, data)
}

function addressProblem(state: ReceiverState, { contracts }: AppConfig): AddressProblem | null {
  if (state.is === 'empty') return 'addressRequired'
  if (state.is === 'checking' || state.is === 'unreachable') return 'checking'
  if (state.is !== 'known') return 'addressInvalid'
  const { address, own } = state.receiver
  if (own) return 'own'
  const isContract = Object.values(contracts).some((contract) => sameAddress(contract, address))
  return isContract || /^0x0{40}$/.test(address) ? 'contract' : null
}

function amountProblem(typed: string, balance: string): AmountProblem | null {
  if (typed === '') return 'amountRequired'
  const amount = toAmount(typed)
  if (amount === null) return 'amountInvalid'
  return parseMicros(amount) > parseMicros(balance) ? 'insufficient' : null
}
