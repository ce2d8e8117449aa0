import type { RouteInput } from '@rif/api-schema'
import { isAmount, launchCapacity, parseMicros } from '@rif/rules'
import { toAmount } from '../../../lib/amount-input.ts'

type Body = RouteInput<'prepareProposal'>['body']
type Payload<K extends Body['kind']> = Extract<Body, { kind: K }>['payload']

/** A launch as it is typed; its times are of UTC. */
export const EMPTY_LAUNCH = { name: '', introduction: '', allocation: '', price: '', starts: '', ends: '' }
export type LaunchText = typeof EMPTY_LAUNCH
export type LaunchField = keyof LaunchText

/** Terms of exchange as they are typed: no cap where none is, and from their approval on where no time is. */
export const EMPTY_TERMS = { asset: 'DIV', rate: '', cap: '', from: '' }
export type TermsText = typeof EMPTY_TERMS
export type TermsField = keyof TermsText

/** What is wrong with a field; the screens have the words. */
export type Problem = 'missing' | 'amount' | 'size' | 'order' | 'past'
export type Problems<Field extends string> = Readonly<Partial<Record<Field, Problem>>>
export type Reading<P, Field extends string> =
  | { ok: true; payload: P }
  | { ok: false; problems: Problems<Field> }

/** The time that a field of a day and a minute names in UTC; null when there is none. */
function utcTime(text: string): string | null {
  const time = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text}Z` : '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

function amountOf(text: string): string | null {
  const amount = toAmount(text)
  return amount !== null && isAmount(parseMicros(amount)) ? amount : null
}

const given = <T extends string>(problems: Record<T, Problem | null>): Problems<T> =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null)) as Problems<T>

/** The launch that would be proposed, or what is wrong with it. Rules, section 11. */
export function readLaunch(text: LaunchText, nowMs: number): Reading<Payload<'launch'>, LaunchField> {
  const [name, introduction] = [text.name.trim(), text.introduction.trim()]
  const [allocation, price] = [amountOf(text.allocation), amountOf(text.price)]
  const [starts, ends] = [utcTime(text.starts), utcTime(text.ends)]
  const isSold =
    allocation === null ||
    price === null ||
    isAmount(launchCapacity({ allocationMicros: parseMicros(allocation), priceMicros: parseMicros(price) }))
  const problems = given<LaunchField>({
    name: name === '' ? 'missing' : null,
    introduction: introduction === '' ? 'missing' : null,
    allocation: allocation === null ? 'amount' : isSold ? null : 'size',
    price: price === null ? 'amount' : null,
    starts: starts === null ? 'missing' : null,
    ends:
      ends === null
        ? 'missing'
        : Date.parse(ends) <= nowMs
          ? 'past'
          : starts !== null && ends <= starts
            ? 'order'
            : null,
  })
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    payload: {
      ...{ name, introduction, allocation: allocation!, price: price! },
      ...{ starts_at: starts!, ends_at: ends! },
    },
  }
}

/** The terms that would be proposed, or what is wrong with them. Rules, section 11. */
export function readTerms(text: TermsText, nowMs: number): Reading<Payload<'exchange_terms'>, TermsField> {
  const [rate, cap] = [amountOf(text.rate), amountOf(text.cap)]
  const from = utcTime(text.from)
  const problems = given<TermsField>({
    asset: text.asset === 'DIV' || text.asset === 'VC' ? null : 'missing',
    rate: rate === null ? 'amount' : null,
    cap: text.cap !== '' && cap === null ? 'amount' : null,
    from: text.from === '' ? null : from === null ? 'missing' : Date.parse(from) <= nowMs ? 'past' : null,
  })
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    payload: {
      ...{ asset: text.asset as 'DIV' | 'VC', rate: rate!, day_cap: cap },
      ...(from !== null && { valid_from: from }),
    },
  }
}
