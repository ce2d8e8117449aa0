import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import {
  formatExact,
  formatTimeExact,
  LONG_TOAST_MS,
  needAllTexts,
  showModal,
  showToast,
  useTranslation,
} from '../lib/index.ts'
import {
  Address,
  Button,
  ButtonStack,
  Fact,
  Facts,
  Followed,
  Icon,
  Money,
  Notice,
  Page,
  Pill,
  type ReceiptLine,
  Spinner,
  Stepper,
  type StepState,
  Time,
  type Tone,
} from '../ui/index.ts'
import { TxHash } from './contract-facts.tsx'
import { useHasEnded } from './use-has-ended.ts'
import { usualWaitText } from './usual-wait.ts'

/**
 * The parts that the pages of orders, fund orders and withdrawals share: frame, status, progress, fields, cancelling,
 * and the result of a payment.
 */

export interface OrderFrameProps<T> {
  title: string
  /** Takes the width of a desktop, for `Columns`. */
  wide?: boolean
  /** The result of `useQuery(apiFollow(...))`. */
  query: UseQueryResult<T>
  staleText: string
  children: (item: T) => ReactNode
}

/** A page about one order or withdrawal, followed while it can change. */
export function OrderFrame<T>({ title, wide = false, ...followed }: OrderFrameProps<T>) {
  return (
    <Page title={title} wide={wide}>
      <Followed {...followed} />
    </Page>
  )
}

export interface OrderHeadProps {
  /** A `TokenMark` or another picture of 40 px. */
  mark: ReactNode
  /** A wire amount. */
  amount: string
  unit: string
  /** It is computed at the prices of now. */
  isEstimate?: boolean
  tone: Tone
  status: string
  /** Names the amount. */
  children: ReactNode
}

/** Shows the amount, a sentence and the state of an order, a withdrawal or a redemption. */
export function OrderHead({
  mark,
  amount,
  unit,
  isEstimate = false,
  tone,
  status,
  children,
}: OrderHeadProps) {
  return (
    <div className="flex flex-col items-center gap-1 py-2 text-center">
      {mark}
      <p className="font-display text-36 font-semibold max-[359px]:text-28">
        {isEstimate && '≈ '}
        <Money amount={amount} unit={unit} />
      </p>
      <div className="text-14 text-muted">{children}</div>
      <span role="status">
        <Pill tone={tone}>{status}</Pill>
      </span>
    </div>
  )
}

/** A step in the history of an order or withdrawal; `at` is the ISO time at which it happened, where it is known. */
export interface OrderStep<Id extends string = string> {
  id: Id
  state: StepState
  at: string | null
}

/** The fields of an order or withdrawal that a transaction on chain fills. */
interface OnChain {
  tx_hash: string | null
  confirmations: number
  confirmations_needed: number
  /** The usual time from the transaction's block to its booking; null while nothing was measured. */
  usual_seconds?: number | null
}

export interface ProgressProps<S extends OrderStep> {
  label: string
  steps: readonly S[]
  titleOf: (step: S) => string
  chain: OnChain
  /** The step that shows the transaction's hash. */
  hashAt: S['id']
  /** The step that counts confirmations, from its beginning. */
  countAt: S['id']
  countText: (values: { count: number; needed: number }) => string
  /** The step that waits for the member. */
  yoursAt?: S['id']
  /** Adds to the detail of a step. */
  remarkOf?: (step: S) => ReactNode
}

/** The history of an order or withdrawal step by step, with times, the transaction's hash and its confirmations. */
export function Progress<S extends OrderStep>(props: ProgressProps<S>) {
  const { t } = useTranslation()
  const { chain, hashAt, countAt, countText, remarkOf } = props
  const needed = chain.confirmations_needed
  const count = Math.min(chain.confirmations, needed)
  const steps = props.steps.map((step) => ({
    id: step.id,
    state: step.state,
    isYours: step.id === props.yoursAt,
    title: props.titleOf(step),
    detail: (
      <div className="flex flex-col items-start">
        {step.at !== null && step.state !== 'waiting' && <Time value={step.at} />}
        {step.id === countAt && step.state !== 'waiting' && step.at === null && countText({ count, needed })}
        {step.id === countAt && step.state === 'active' && chain.usual_seconds !== undefined && (
          <span>{usualWaitText(t, chain.usual_seconds)}</span>
        )}
        {step.id === hashAt && chain.tx_hash !== null && <TxHash value={chain.tx_hash} />}
        {remarkOf?.(step)}
      </div>
    ),
  }))
  return <Stepper label={props.label} steps={steps} />
}

/** A value on the screen and in a receipt. */
interface FieldValue {
  shown: ReactNode
  /** Undefined for a field that a receipt leaves out. */
  text: string | undefined
}

/** The labelled fields of an order or withdrawal. */
export type OrderFields = readonly (readonly [label: string, value: FieldValue])[]

/** Returns the kinds of values that fields have; `none` is shown for a value that does not exist yet. */
export function fieldKinds(none: string) {
  const orNone = (
    value: string | null,
    shown: (value: string) => ReactNode,
    text: (value: string) => string,
  ) =>
    value === null
      ? { shown: <span className="text-muted">{none}</span>, text: '–' }
      : { shown: shown(value), text: text(value) }
  return {
    text: (shown: string, text = shown): FieldValue => ({ shown, text }),
    id: (text: string, form: 'full' | 'tail' = 'tail'): FieldValue => ({
      shown: <Address value={text} form={form} />,
      text,
    }),
    money: (amount: string | null, unit: string): FieldValue =>
      orNone(
        amount,
        (value) => <Money amount={value} unit={unit} />,
        (value) => `${formatExact(value)} ${unit}`,
      ),
    price: (amount: string, unit: string): FieldValue => ({
      shown: <Money price amount={amount} unit={unit} />,
      text: `${formatExact(amount)} ${unit}`,
    }),
    time: (value: string | null): FieldValue =>
      orNone(
        value,
        (time) => <Time value={time} />,
        (time) => formatTimeExact(time) ?? time,
      ),
    hash: (value: string | null): FieldValue =>
      orNone(
        value,
        (hash) => <TxHash value={hash} />,
        (hash) => hash,
      ),
  }
}

/** Every labelled field of an order or withdrawal. Specification section 3. */
export function FieldFacts({ fields }: { fields: OrderFields }) {
  return (
    <Facts>
      {fields.map(([label, { shown }]) => (
        <Fact key={label} label={label}>
          {shown}
        </Fact>
      ))}
    </Facts>
  )
}

/** Leaves a field out of the receipt. */
export const onScreen = ({ shown }: FieldValue): FieldValue => ({ shown, text: undefined })

/** Returns the fields as lines of a receipt. */
export const receiptOf = (fields: OrderFields): ReceiptLine[] =>
  fields.flatMap(([label, { text }]) => (text === undefined ? [] : [[label, text] as const]))

/** The groups of texts that hold the question before a cancellation. */
type CancelTexts = 'shop.detail' | 'fund.pay' | 'fund.redemption' | 'withdrawals.detail'

/** The part of a mutation that is used here. */
interface Call<Input> {
  mutate(input: Input, options: { onSuccess: () => void }): void
  readonly isPending: boolean
}

/** Returns a cancellation that first asks for confirmation, with the texts of a group, and reports its success. */
export function useCancel<Input>(texts: CancelTexts, cancel: Call<Input>, onDone?: () => void) {
  const { t } = useTranslation()
  return {
    isPending: cancel.isPending,
    async ask(input: Input) {
      // The keys are computed, so the texts may not be among those of the first page, and the question is not drawn again.
      await needAllTexts().catch(() => undefined)
      const isConfirmed = await showModal({
        title: t(`${texts}.cancelTitle`),
        content: t(`${texts}.cancelText`),
        confirmText: t(`${texts}.cancelConfirm`),
        cancelText: t(`${texts}.cancelKeep`),
      })
      if (!isConfirmed) return
      const onSuccess = () => {
        showToast(t(`${texts}.cancelled`), { durationMs: LONG_TOAST_MS, tone: 'good' })
        onDone?.()
      }
      cancel.mutate(input, { onSuccess })
    },
  }
}

export interface UnpaidActionsProps {
  /** Says until when the price is kept. */
  deadline: string
  expired: string
  /** The ISO time at which the order expires. */
  expiresAt: string | null
  /** The button or link that leads to the payment. */
  pay: ReactNode
  cancelLabel: string
  isCancelling: boolean
  onCancel: () => void
}

/** The deadline of an unpaid order, the way to its payment, and cancelling it. */
export function UnpaidActions(props: UnpaidActionsProps) {
  // Until the server has closed an order that ended its status is still UnPaid.
  const canPay = !useHasEnded(props.expiresAt) && props.expiresAt !== null
  return (
    <ButtonStack>
      {canPay ? <Notice icon="clock">{props.deadline}</Notice> : <Notice tone="warn">{props.expired}</Notice>}
      {canPay && props.pay}
      <Button variant="quiet" moves="agreed" block busy={props.isCancelling} onClick={props.onCancel}>
        {props.cancelLabel}
      </Button>
    </ButtonStack>
  )
}

export interface ResultHeadProps {
  state: 'good' | 'working' | 'waiting' | 'off'
  title: string
  hint?: string | null
  /** Between the title and the hint. */
  amount?: ReactNode
  children?: ReactNode
}

/** The outcome of a payment or request: a sign, a sentence and its meaning. */
export function ResultHead({ state, title, hint, amount, children }: ResultHeadProps) {
  const tone = state === 'good' ? 'bg-good-soft text-good' : 'bg-sunken text-muted'
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-4 py-6 text-center">
      <span className={`grid size-16 place-items-center rounded-full ${tone}`}>
        {state === 'working' && <Spinner size={28} />}
        {state === 'good' && <Icon name="check" size={32} />}
        {state === 'waiting' && <Icon name="clock" size={28} />}
        {state === 'off' && <Icon name="close" size={28} />}
      </span>
      <h2 className="text-20 font-semibold">{title}</h2>
      {amount}
      {hint != null && <p className="whitespace-pre-line text-14 text-muted">{hint}</p>}
      {children}
    </div>
  )
}

/** Fetches the queries of these routes again once a payment is final: sums and lists change with it. */
export function useRefreshWhen(isPaid: boolean, names: readonly string[]) {
  const client = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are constant
  useEffect(() => {
    if (!isPaid) return
    for (const name of names) void client.invalidateQueries({ queryKey: [name] })
  }, [isPaid, client])
}
