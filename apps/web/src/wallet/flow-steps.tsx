import { useEffect, useState } from 'react'
import { type Translate, useTranslation } from '../lib/index.ts'
import { Address, Button, HelpLink, Notice, type Step, Stepper, type StepState } from '../ui/index.ts'
import { SignaturePreview } from './contract-facts.tsx'
import { problemText } from './provider.ts'
import type { FlowState, StepId } from './tx-flow/flow-state.ts'
import type { TxFlow } from './use-tx-flow.ts'
import { isPhone, WalletLinks } from './wallet-links.tsx'

export interface FlowStepsProps {
  flow: TxFlow
  /** The button before the start, such as "Pay 70 USDT and 60 AMC". */
  startLabel: string
}

const PROBLEMS_FINAL: readonly (string | null)[] = ['expired', 'closed', 'bankClosed', 'soldOut']

/** The steps of a payment or claim, the problem, and the only button, which starts or continues it. */
export function FlowSteps(props: FlowStepsProps) {
  return (
    <div className="flex flex-col gap-4">
      <FlowProgress flow={props.flow} />
      <FlowButton {...props} />
    </div>
  )
}

/**
 * Shows the content that the wallet is about to sign, the steps so far, and an error; nothing before the
 * first step.
 */
export function FlowProgress({ flow }: { flow: TxFlow }) {
  const { t } = useTranslation()
  const { state } = flow
  return (
    <div className="flex flex-col gap-4 empty:hidden">
      {state.phase === 'asking' &&
        state.previews.map((preview) => (
          <SignaturePreview
            key={`${preview.contract.name} ${preview.to} ${preview.allows[0]?.amount}`}
            preview={preview}
          />
        ))}
      {state.steps.length > 0 && <Stepper label={t('flow.label')} steps={stepsOf(state, t)} />}
      {state.phase === 'mining' && <SlowHint key={state.hash} onForget={flow.forget} />}
      {state.problem !== null && (
        <div role="alert">
          <Notice
            tone={state.problem === 'rejected' ? 'info' : 'bad'}
            action={<HelpLink about={`flow.${state.problem}`} />}
          >
            {problemText(state.problem, state.detail)}
          </Notice>
        </div>
      )}
      {state.problem === 'noWallet' && isPhone() && <WalletLinks />}
    </div>
  )
}

/** The only button, which starts or continues a payment or claim; none once it has ended. */
export function FlowButton({ flow, startLabel }: FlowStepsProps) {
  const { t } = useTranslation()
  const { state } = flow
  if (state.phase === 'done' || PROBLEMS_FINAL.includes(state.problem)) return null
  const resumes = state.finished.length > 0 || state.phase === 'stopped'
  return (
    <Button block moves="agreed" busy={flow.isRunning} onClick={flow.start}>
      {flow.isRunning
        ? t(state.phase === 'asking' ? 'flow.waiting' : 'flow.busy')
        : resumes
          ? t('flow.goOn')
          : startLabel}
    </Button>
  )
}

interface CancelOrderProps {
  flow: Pick<FlowStepsProps['flow'], 'isRunning'>
  label: string
  cancel: { readonly isPending: boolean; readonly ask: (orderId: string) => Promise<void> }
  orderId: string
}

/** Cancels an order beside the button that pays it; not while a payment runs. */
export function CancelOrder({ flow, label, cancel, orderId }: CancelOrderProps) {
  if (flow.isRunning) return null
  return (
    <Button
      variant="quiet"
      moves="agreed"
      block
      busy={cancel.isPending}
      onClick={() => void cancel.ask(orderId)}
    >
      {label}
    </Button>
  )
}

function stepsOf(state: FlowState, t: Translate): Step[] {
  const steps = state.steps.map((id): Step => {
    const detail = detailOf(state, id, t)
    return {
      id,
      title: t(`flow.step.${id}`),
      state: stepState(state, id),
      ...(detail !== undefined && { detail }),
    }
  })
  // Revoking an approval involves only the wallet and the chain.
  if (state.steps.every((id) => id === 'revokeUsdt' || id === 'revokeAmc')) return steps
  const verify: StepState =
    state.phase === 'done' ? 'done' : state.phase === 'verifying' ? 'active' : 'waiting'
  return [...steps, { id: 'verify', title: t('flow.step.verify'), state: verify }]
}

function stepState(state: FlowState, id: StepId): StepState {
  if (state.finished.includes(id)) return 'done'
  if (state.current !== id) return 'waiting'
  return state.phase === 'stopped' ? 'failed' : 'active'
}

function detailOf(state: FlowState, id: StepId, t: Translate) {
  if (state.current !== id || state.phase === 'stopped') return undefined
  if (state.phase === 'asking') return confirmText(state, id, t)
  if (state.hash === null) return t('flow.onChain')
  return (
    <span className="flex flex-col">
      {t('flow.onChain')}
      <Address value={state.hash} form="head" />
    </span>
  )
}

/**
 * "Confirm in your wallet (1 of 2)": the number of confirmations equals that of the steps, without a count
 * for one step.
 */
function confirmText({ steps }: FlowState, id: StepId, t: Translate) {
  if (steps.length < 2) return t('flow.confirmInWallet')
  return t('flow.confirmOf', { step: steps.indexOf(id) + 1, count: steps.length })
}

const SLOW_MS = 60_000

/** After a minute without a result: possible causes, and a button that checks again. */
function SlowHint({ onForget }: { onForget: () => void }) {
  const { t } = useTranslation()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!slow) return null
  return (
    <Notice
      tone="warn"
      action={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="secondary" onClick={onForget}>
            {t('flow.lookAnew')}
          </Button>
          <HelpLink about="flow.slow" />
        </div>
      }
    >
      {t('flow.slow')}
    </Notice>
  )
}
