import type { ExchangeTargetName, RouteInput } from '@rif/api-schema'
import {
  formatMicros,
  launchProblems,
  type Micros,
  type OfferProblem,
  type OfferProblems,
  parseMicros,
  termsProblems,
} from '@rif/rules'
import { toAmount } from '../../../lib/index.ts'
import type { Checked } from '../../../ui/index.ts'

type Body = RouteInput<'prepareProposal'>['body']
type Payload<K extends Body['kind']> = Extract<Body, { kind: K }>['payload']

/** A typed launch; its times are in UTC. */
export const EMPTY_LAUNCH = {
  name: '',
  introduction: '',
  allocation: '',
  price: '',
  starts_at: '',
  ends_at: '',
}
export type LaunchText = typeof EMPTY_LAUNCH
type LaunchField = keyof LaunchText

/**
 * Typed terms of exchange: without a cap if none is given, and valid from their approval if no time is given.
 */
export const EMPTY_TERMS = { asset: 'DIV' as ExchangeTargetName, rate: '', day_cap: '', valid_from: '' }
export type TermsText = typeof EMPTY_TERMS

/** Returns the UTC time of a field with a day and a minute; NaN if there is none. */
export const utcTime = (text: string): number =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN

/** Returns the amount of a field in micro-units; 0 if it is invalid. */
function microsOf(text: string): Micros {
  const amount = toAmount(text)
  return amount === null ? 0n : parseMicros(amount)
}

/** Reads the launch to propose, or the problem of each field. */
export function readLaunch(
  text: LaunchText,
  nowMs: number,
): Checked<LaunchText, { ok: true; payload: Payload<'launch'> }, OfferProblem> {
  const [name, introduction] = [text.name.trim(), text.introduction.trim()]
  const offer = { allocationMicros: microsOf(text.allocation), priceMicros: microsOf(text.price) }
  const times = { startsAtMs: utcTime(text.starts_at), endsAtMs: utcTime(text.ends_at) }
  const problems: OfferProblems<LaunchField> = {
    ...(name === '' && { name: 'missing' }),
    ...(introduction === '' && { introduction: 'missing' }),
    ...launchProblems({ ...offer, ...times }, nowMs),
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    payload: {
      name,
      introduction,
      allocation: formatMicros(offer.allocationMicros),
      price: formatMicros(offer.priceMicros),
      starts_at: new Date(times.startsAtMs).toISOString(),
      ends_at: new Date(times.endsAtMs).toISOString(),
    },
  }
}

/** Reads the terms to propose, or the problem of each field. */
export function readExchangeTerms(
  text: TermsText,
  nowMs: number,
): Checked<TermsText, { ok: true; payload: Payload<'exchange_terms'> }, OfferProblem> {
  const rateMicros = microsOf(text.rate)
  const dayCapMicros = text.day_cap === '' ? null : microsOf(text.day_cap)
  const validFromMs = text.valid_from === '' ? null : utcTime(text.valid_from)
  const problems = termsProblems({ rateMicros, dayCapMicros, validFromMs }, nowMs)
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    payload: {
      asset: text.asset,
      rate: formatMicros(rateMicros),
      day_cap: dayCapMicros === null ? null : formatMicros(dayCapMicros),
      ...(validFromMs !== null && { valid_from: new Date(validFromMs).toISOString() }),
    },
  }
}
