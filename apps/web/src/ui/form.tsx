import type { FormEvent, FormHTMLAttributes } from 'react'
import { type FieldErrors, type FieldValues, useForm } from 'react-hook-form'
import { cx, DRAFTS_KEY, perTab, sessionStore } from '../lib/index.ts'

/** The result of a form's check: what can be sent, or the problem of each field that prevents it. */
export type Checked<Values, Good extends { ok: true }, Problem extends string> =
  | Good
  | { ok: false; problems: Readonly<Partial<Record<keyof Values, Problem>>> }

interface DraftFormOptions<Values extends object, Good extends { ok: true }, Problem extends string> {
  /** The name under which the values are kept until they are sent; without it they are not kept. */
  name?: string
  /** Flat: texts, numbers and flags. */
  initial: Values
  /** Values from a link; they win over kept ones. */
  given?: Partial<Values>
  check: (values: Values) => Checked<Values, Good, Problem>
  text: (problem: Problem, values: Values) => string
  /** After the first attempt to send, every change checks all fields again. Without it, a change removes the errors. */
  recheck?: boolean
  /** Shows the problem of a filled-in field while it is typed, before the first attempt to send. */
  live?: boolean
}

/**
 * Returns a form on react-hook-form. Unsent values survive a reload, and a new sign-in of the same address after a 401;
 * disconnecting removes them.
 */
export function useDraftForm<Values extends object, Good extends { ok: true }, Problem extends string>({
  name,
  initial,
  given,
  check,
  text,
  recheck = false,
  live = false,
}: DraftFormOptions<Values, Good, Problem>) {
  const form = useForm<FieldValues, unknown, Good>({
    defaultValues: { ...(name === undefined ? initial : restore(name, initial)), ...given },
    reValidateMode: 'onSubmit',
    resolver: (values) => {
      const checked = check(values as Values)
      return checked.ok
        ? { values: checked, errors: {} }
        : { values: {}, errors: errorsOf(checked.problems as Record<string, Problem | undefined>) }
    },
  })
  const { errors, isSubmitted } = form.formState
  const values = form.watch() as Values
  const typed = live ? check(values) : null

  function set(changes: Partial<Values>) {
    for (const [field, value] of Object.entries(changes)) form.setValue(field, value)
    if (name !== undefined) keep(name, form.getValues())
    if (!recheck) form.clearErrors()
    else if (isSubmitted) void form.trigger()
  }

  function field<K extends keyof Values & string>(key: K) {
    const asTyped = typed?.ok === false && values[key] !== '' ? typed.problems[key] : undefined
    const problem = (errors[key]?.type as Problem | undefined) ?? asTyped
    return {
      value: values[key],
      onChange: (value: Values[K]) => set({ [key]: value } as unknown as Partial<Values>),
      error: problem && text(problem, values),
    }
  }

  return {
    values,
    /** The check of the current values. */
    get checked() {
      return check(values)
    },
    set,
    /** The props of a control whose `onChange` receives the value. */
    field,
    /** The props of a `TextField` or `TextArea`. */
    textField(key: keyof Values & string) {
      const { onChange, ...props } = field(key)
      return {
        ...form.register(key),
        ...(props as { value: string; error: string | undefined }),
        onChange: ({ target }: { target: { value: string } }) => onChange(target.value as Values[typeof key]),
      }
    },
    /** Returns a handler that checks the values and passes on what can be sent. */
    submit: (send: (good: Good) => unknown) => (event?: FormEvent) =>
      void form.handleSubmit((good) => void send(good))(event),
    /** Shows a problem that the server found. */
    refuse: (key: keyof Values & string, problem: Problem) => form.setError(key, { type: problem }),
    /** Forgets the kept values; the fields stay as they are. */
    clear: () => name !== undefined && keep(name, null),
    /** Forgets the kept values and empties the fields. */
    reset() {
      if (name !== undefined) keep(name, null)
      form.reset(initial)
    },
  }
}

/** Returns a form whose values are kept, for screens that check and send them elsewhere. */
export const useKeptValues = <Values extends object>(name: string, initial: Values) =>
  useDraftForm({ name, initial, check: () => ({ ok: true }), text: String })

/** Turns a judgement of one field into the check of a form. */
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
  const others = Object.entries(drafts).filter(([one]) => one !== name)
  const all = draft === null ? others : [...others, [name, draft] as const]
  perTab.set(DRAFTS_KEY, all.length === 0 ? null : JSON.stringify({ owner, drafts: Object.fromEntries(all) }))
}

/** Returns `initial` with the kept values of its own fields, where they have the same type. */
function restore<T extends object>(name: string, initial: T): T {
  const kept = read().drafts[name]
  if (typeof kept !== 'object' || kept === null) return initial
  const fields = Object.entries(kept).filter(
    ([field, value]) => field in initial && typeof value === typeof initial[field as keyof T],
  )
  return { ...initial, ...Object.fromEntries(fields) }
}
