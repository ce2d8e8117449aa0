import type { AppConfig, Receiver } from '@rif/api-schema'
import { formatMicros, fromChainUnits } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatExact, navigateTo, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AddressFact,
  Button,
  Fact,
  Facts,
  LongFact,
  Money,
  MoneyFact,
  Notice,
  Sheet,
  SheetDock,
  Stepper,
  type StepState,
  Switch,
} from '../../../ui/index.ts'
import { ContractFact, type ContractFactProps } from '../../../wallet/contract-facts.tsx'
import { type FlowError, flowErrorOf, walletErrorText } from '../../../wallet/provider.ts'
import { LookAlikeWarning } from '../../../wallet/receiver/receiver-field.tsx'
import type { WalletSendDraft } from '../send-plan.ts'
import type { SendStep } from '../send-run.ts'

export interface SendSheetProps {
  config: AppConfig
  owner: string
  draft: WalletSendDraft
  receiver: Receiver
  /** Called when the wallet has sent it. */
  onSent: () => void
  onClose: () => void
}

/** The amount, the receiver, the route and the estimated fee; then the steps in the wallet. */
export function SendSheet({ config, owner, draft, receiver, onSent, onClose }: SendSheetProps) {
  const { t } = useTranslation()
  const [compared, setCompared] = useState(receiver.looks_like === null)
  const contract = contractOf(draft)
  const run = useSend({ config, owner, draft, onSent })
  const fee = useQuery({
    queryKey: ['walletFee', draft],
    queryFn: async () => (await import('../wallet-reads.ts')).estimateFee(config, owner, draft),
  })
  return (
    <Sheet open onClose={onClose} dismissible={run.step === null} title={t('localWallet.confirm')}>
      <div className="flex flex-col gap-4 pt-2">
        <Facts>
          <MoneyFact
            label={t('localWallet.amount')}
            amount={draft.amount}
            unit={draft.asset}
            exact
            className="text-20 font-semibold"
          />
          <AddressFact label={t('localWallet.from')} value={owner} form="full" copy={false} />
          <LongFact label={t('localWallet.to')}>
            {receiver.label !== null && <span className="block font-semibold">{receiver.label}</span>}
            <Address value={receiver.address} form="full" copy={false} />
          </LongFact>
          <MoneyFact label={t('localWallet.arrives')} amount={draft.amount} unit={draft.asset} exact />
          <Fact label={t('localWallet.way')}>
            {draft.byContract ? t('localWallet.byContract') : t('localWallet.plain')}
          </Fact>
          {contract !== null && <ContractFact name={contract} address={config.contracts[contract]} />}
          <Fact label={t('localWallet.fee')}>
            {fee.data !== undefined ? (
              <Money amount={formatMicros(fromChainUnits(fee.data, 18).micros)} unit="ETH" exact />
            ) : fee.isError ? (
              walletErrorText(fee.error)
            ) : (
              '…'
            )}
          </Fact>
        </Facts>
        {receiver.looks_like !== null && (
          <>
            <LookAlikeWarning receiver={receiver} />
            <Switch label={t('receiver.compared')} checked={compared} onChange={setCompared} />
          </>
        )}
        {run.step !== null && <Steps draft={draft} step={run.step} />}
        {run.failure !== null && (
          <div role="alert">
            <Notice tone={run.failure.problem === 'rejected' ? 'info' : 'bad'}>
              {walletErrorText(run.failure)}
            </Notice>
          </div>
        )}
        <SheetDock>
          <Button moves="agreed" block busy={run.step !== null} disabled={!compared} onClick={run.start}>
            {t('localWallet.submit', { amount: `${formatExact(draft.amount)} ${draft.asset}` })}
          </Button>
        </SheetDock>
      </div>
    </Sheet>
  )
}

/** The product's contract that the transaction calls; ether that is sent directly calls none. */
function contractOf({ byContract, asset }: WalletSendDraft): ContractFactProps['name'] | null {
  if (byContract) return 'transfer'
  return asset === 'ETH' ? null : asset === 'USDT' ? 'usdt' : 'amc'
}

function Steps({ draft, step }: { draft: WalletSendDraft; step: SendStep }) {
  const { t } = useTranslation()
  const steps: SendStep[] = draft.byContract ? ['approve', 'send'] : ['send']
  const stateOf = (sendStep: SendStep): StepState =>
    sendStep === step ? 'active' : steps.indexOf(sendStep) < steps.indexOf(step) ? 'done' : 'waiting'
  return (
    <Stepper
      label={t('flow.label')}
      steps={steps.map((item) => ({
        id: item,
        title: t(`localWallet.step.${item}`),
        state: stateOf(item),
        ...(item === step && { detail: t('flow.confirmInWallet') }),
      }))}
    />
  )
}

/** Runs a send, and opens its page as soon as the wallet has sent it. */
function useSend({
  config,
  owner,
  draft,
  onSent,
}: Pick<SendSheetProps, 'config' | 'owner' | 'draft' | 'onSent'>) {
  const [step, setStep] = useState<SendStep | null>(null)
  const [failure, setFailure] = useState<FlowError | null>(null)
  const giveUp = useRef<AbortController | null>(null)
  useEffect(() => () => giveUp.current?.abort(), [])
  async function start() {
    const controller = new AbortController()
    giveUp.current = controller
    setFailure(null)
    setStep(draft.byContract ? 'approve' : 'send')
    try {
      const { runSend } = await import('../send-run.ts')
      const { signal } = controller
      const tx_hash = await runSend(draft, { config, owner, signal, onStep: setStep })
      onSent()
      navigateTo('/pages/localWallet/result', { tx_hash })
    } catch (error) {
      if (controller.signal.aborted) return
      setFailure(flowErrorOf(error))
    }
    setStep(null)
  }
  return { step, failure, start: () => void start() }
}
