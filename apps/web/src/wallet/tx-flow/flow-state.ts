import type { FlowProblem } from '../errors.ts'
import type { Preview } from './preview.ts'

/** What can be asked of the wallet. `permitAmc` is a signature, `batch` all steps in one (EIP-5792), the rest transactions. */
export type StepId =
  | 'approveAmc'
  | 'permitAmc'
  | 'approveUsdt'
  | 'pay'
  | 'batch'
  | 'claim'
  | 'revokeUsdt'
  | 'revokeAmc'

/**
 * Where a payment or a claim stands. idle: nothing runs. checking: reading order and chain. asking: the wallet is open.
 * mining: a transaction is under way. pausing: after an approval. verifying: the server is to see the event.
 * done: it has. stopped: by `problem`; starting again goes on where it was.
 */
export type Phase = 'idle' | 'checking' | 'asking' | 'mining' | 'pausing' | 'verifying' | 'done' | 'stopped'

export interface FlowState {
  phase: Phase
  /** The steps of the way that was chosen, in order. */
  steps: readonly StepId[]
  finished: readonly StepId[]
  current: StepId | null
  hash: string | null
  /** What the wallet is being asked for, one for each call; empty while it is not. */
  previews: readonly Preview[]
  problem: FlowProblem | null
  /** More on the problem: what differs, which asset lacks. */
  detail: string | null
}

export type FlowEvent =
  | { type: 'started' }
  | { type: 'planned'; steps: readonly StepId[]; finished: readonly StepId[] }
  | { type: 'asked'; step: StepId; previews: readonly Preview[] }
  | { type: 'sent'; step: StepId; hash: string | null }
  | { type: 'finished'; step: StepId }
  | { type: 'verifying' }
  | { type: 'done' }
  | { type: 'waits' }
  | { type: 'stopped'; problem: FlowProblem; detail: string | null }

export const idleFlow: FlowState = {
  phase: 'idle',
  steps: [],
  finished: [],
  current: null,
  hash: null,
  previews: [],
  problem: null,
  detail: null,
}

/** The steps' progress as a pure function of what happened. A flow that is done stays done. */
export function flowReducer(state: FlowState, event: FlowEvent): FlowState {
  if (state.phase === 'done') return state
  switch (event.type) {
    case 'started':
      return { ...state, phase: 'checking', problem: null, detail: null }
    case 'planned':
      return {
        ...state,
        phase: 'checking',
        steps: event.steps,
        finished: event.finished,
        current: null,
        hash: null,
      }
    case 'asked':
      return { ...state, phase: 'asking', current: event.step, hash: null, previews: event.previews }
    case 'sent':
      return {
        ...state,
        phase: 'mining',
        current: event.step,
        hash: event.hash,
        steps: withStep(state.steps, event.step),
      }
    case 'finished':
      return { ...state, phase: 'pausing', current: null, finished: withStep(state.finished, event.step) }
    case 'verifying':
      return { ...state, phase: 'verifying', current: null, finished: state.steps }
    case 'done':
      return { ...state, phase: 'done', current: null, finished: state.steps }
    case 'waits':
      return { ...state, phase: 'idle', current: null }
    case 'stopped':
      return { ...state, phase: 'stopped', problem: event.problem, detail: event.detail }
  }
}

const withStep = (steps: readonly StepId[], step: StepId) => (steps.includes(step) ? steps : [...steps, step])
