import { type FormEvent, type FormHTMLAttributes, useEffect, useRef, useState } from 'react'
import { type FieldErrors, type FieldValues, useForm } from 'react-hook-form'
import { cx, DRAFTS_KEY, isSignedIn, perTab, sessionStore } from '../lib/index.ts'
import { focusFault } from './focus-fault.ts'

/** The result of a form's check: the values to send, or the problem of each invalid field. */
export type Checked<Values, Good extends { ok: true }, Problem extends string> =
  | Good
  | { ok: false; problems: Readonly<Partial<Record<keyof Values, Problem>>> }

/** The problem of a field, and the corrected value, if there is one. */
export interface Fault {
  text: string
  /** Offered as a button that fills it in. */
  use?: string | undefined
}

interface DraftFormOptions<Values extends object, Good extends { ok: true }, Problem extends string> {
  /** The name under which the values are stored until they are sent; without it they are not stored. */
  name?: string
  /** Closing the form deletes the values; the end of the session does not. */
  inSheet?: boolean
  /** Flat: texts, numbers and flags. */
  initial: Values
  /** Values from a link, which override stored ones. */
  preset?: Partial<Values>
  check: (values: Values) => Checked<Values, Good, Problem>
  text: (problem: Problem, values: Values) => string | Fault
  /** Problems that are shown only after an attempt to send, because they pass by themselves. */
  passing?: readonly Problem[]
  /** After the first attempt to send, every change checks all fields again. Without it, a change removes the errors. */
  recheck?: boolean
}

/**
 * Returns a form on react-hook-form that checks while typing: the problem of a filled-in field is shown after
 * a short pause, or when the field is left. Unsent values survive a reload, and a new sign-in of the same
 * address after a 401; disconnecting deletes them.
 */
export function useDraftForm<Values extends object, Good extends { ok: true }, Problem extends string>({
  name,
  inSheet = false,
  initial,
  preset,
  check,
  text,
  passing = [],
  recheck = false,
}: DraftFormOptions<Values, Good, Problem>) {
  const form = useForm<FieldValues, unknown, Good>({
    defaultValues: { ...(name === undefined ? initial : restore(name, initial)), ...preset },
    reValidateMode: 'onSubmit',
    // `submit` moves the focus, also to fields that are not registered.
    shouldFocusError: false,
    resolver: (values) => {
      const checked = check(values as Values)
      return checked.ok
        ? { values: checked, errors: {} }
        : { values: {}, errors: errorsOf(checked.problems as Record<string, Problem | undefined>) }
    },
  })
  const { errors, isSubmitted } = form.formState
  const values = form.watch() as Values
  // Checked on request, because a check may read values that a form's component declares below it.
  let judged: ReturnType<typeof check> | undefined
  const judge = () => {
    judged ??= check(values)
    return judged
  }
  const typing = useTyping()
  useEffect(() => {
    if (inSheet && name !== undefined) return () => void (isSignedIn() && keep(name, null))
  }, [inSheet, name])

  function set(changes: Partial<Values>) {
    for (const [field, value] of Object.entries(changes)) {
      form.setValue(field, value)
      typing.began(field)
    }
    if (name !== undefined) keep(name, form.getValues())
    if (!recheck) form.clearErrors()
    else if (isSubmitted) void form.trigger()
  }

  /** Returns the problem of a filled-in field. */
  function asTyped(key: keyof Values & string): Problem | undefined {
    const checked = judge()
    const problem = !checked.ok && isFilled(values[key]) ? checked.problems[key] : undefined
    return problem !== undefined && passing.includes(problem) ? undefined : problem
  }

  function field<K extends keyof Values & string>(key: K) {
    const problem = (errors[key]?.type as Problem | undefined) ?? typing.settled(key, asTyped(key))
    const fault = problem === undefined ? undefined : faultOf(text(problem, values))
    return {
      value: values[key],
      onChange: (value: Values[K]) => set({ [key]: value } as unknown as Partial<Values>),
      onBlur: () => void typing.ended(key),
      error: fault?.text,
      use: fault?.use,
    }
  }

  return {
    values,
    /** The check of the current values. */
    get checked() {
      return judge()
    },
    /** The present problem of a filled-in field, shown or not. */
    asTyped,
    set,
    /** The props of a control whose `onChange` receives the value. */
    field,
    /** The props of a `TextField` or `TextArea`. */
    textField(key: keyof Values & string) {
      const { value, error, onChange, onBlur } = field(key)
      return {
        ...form.register(key),
        value: value as string,
        error,
        onBlur,
        onChange: ({ target }: { target: { value: string } }) => onChange(target.value as Values[typeof key]),
      }
    },
    /** Returns a handler that checks the values and passes on what can be sent, or moves the focus to the first fault. */
    submit: (send: (good: Good) => unknown) => (event?: FormEvent) => {
      const element = event?.currentTarget
      void form.handleSubmit(
        (good) => void send(good),
        () => void setTimeout(() => focusFault(element)),
      )(event)
    },
    /** Shows a problem that the server found. */
    refuse: (key: keyof Values & string, problem: Problem) => form.setError(key, { type: problem }),
    /** Deletes the stored values; the fields do not change. */
    clear: () => name !== undefined && keep(name, null),
    /** Deletes the stored values and empties the fields. */
    reset() {
      if (name !== undefined) keep(name, null)
      form.reset(initial)
    },
  }
}

const faultOf = (fault: string | Fault): Fault => (typeof fault === 'string' ? { text: fault } : fault)

const isFilled = (value: unknown) => typeof value === 'string' && value !== ''

/** The pause before the problem of a field is shown: long enough to continue typing. */
const PAUSE_MS = 600
/**
 * The same once the field is left: not before the tap that left it has reached its button, which an error
 * would move.
 */
const LEFT_MS = 200

/** Tracks the fields that are being edited. A visible problem stays while it is the same. */
function useTyping() {
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const shown = useRef(new Map<string, string | undefined>())
  const [, draw] = useState(0)
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running.values()) clearTimeout(timer)
      running.clear()
    }
  }, [])
  const rest = (field: string, ms: number) => {
    clearTimeout(timers.current.get(field))
    const timer = setTimeout(() => {
      timers.current.delete(field)
      draw((count) => count + 1)
    }, ms)
    timers.current.set(field, timer)
  }
  return {
    began: (field: string) => rest(field, PAUSE_MS),
    ended: (field: string) => timers.current.has(field) && rest(field, LEFT_MS),
    /** Returns the problem when it may be shown. */
    settled<Problem extends string>(field: string, problem: Problem | undefined): Problem | undefined {
      const mayShow = !timers.current.has(field) || shown.current.get(field) === problem
      const now = mayShow ? problem : undefined
      shown.current.set(field, now)
      return now
    },
  }
}

/** Returns a form with stored values, for screens that check and send them elsewhere. */
export const useKeptValues = <Values extends object>(name: string, initial: Values) =>
  useDraftForm({ name, initial, check: () => ({ ok: true }), text: String })

/** The same for a form in a sheet, whose closing cancels it. */
export const useSheetValues = <Values extends object>(name: string, initial: Values) =>
  useDraftForm({ name, inSheet: true, initial, check: () => ({ ok: true }), text: String })

/** Converts a check of one field into the check of a form. */
export function checkOf<Field extends string, Good extends { ok: true }, Problem extends string>(
  field: Field,
  judged: Good | { ok: false; problem: Problem },
): Checked<Record<Field, unknown>, Good, Problem> {
  if (judged.ok) return judged
  return { ok: false, problems: { [field]: judged.problem } as Partial<Record<Field, Problem>> }
}

function errorsOf(problems: Readonly<Record<string, string | undefined>>): FieldErrors {
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, type]) => (type === undefined ? [] : [[field, { type }]])),
  )
}

/** A column of fields; `aria-label` names the form. The browser's own validation is off. */
export function Form({ className = 'gap-4', ...props }: FormHTMLAttributes<HTMLFormElement>) {
  return <form noValidate className={cx('flex flex-col', className)} {...props} />
}

interface Kept {
  owner: string
  drafts: Record<string, unknown>
}

/** Reads the drafts of the signed-in address from the tab's storage. */
function read(): Kept {
  const owner = sessionStore.getState().tokenAddress
  try {
    const kept: Partial<Kept> = JSON.parse(perTab.get(DRAFTS_KEY) ?? 'null') ?? {}
    return kept.owner === owner && kept.drafts !== undefined
      ? { owner, drafts: kept.drafts }
      : { owner, drafts: {} }
  } catch {
    return { owner, drafts: {} }
  }
}

function keep(name: string, draft: object | null) {
  const { owner, drafts } = read()
  const others = Object.entries(drafts).filter(([draftName]) => draftName !== name)
  const all = draft === null ? others : [...others, [name, draft] as const]
  perTab.set(DRAFTS_KEY, all.length === 0 ? null : JSON.stringify({ owner, drafts: Object.fromEntries(all) }))
}

/** Returns the names of the forms whose values are kept. */
export const draftNames = (): readonly string[] => Object.keys(read().drafts)

/** Reports whether values of a form are kept: a sheet whose form was cut short by the end of the session opens anew. */
export const isDrafted = (name: string): boolean => name in read().drafts

/** Returns `initial` with the kept values of its own fields, where they have the same type. */
function restore<T extends object>(name: string, initial: T): T {
  const kept = read().drafts[name]
  if (typeof kept !== 'object' || kept === null) return initial
  const fields = Object.entries(kept).filter(
    ([field, value]) => field in initial && typeof value === typeof initial[field as keyof T],
  )
  return { ...initial, ...Object.fromEntries(fields) }
}
