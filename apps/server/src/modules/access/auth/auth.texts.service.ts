import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type Day,
  dayOf,
  renderTerms,
  startOfDay,
  TERMS_WORDING,
  type TermsFacts,
  type TermsVersion,
  termsFigures,
  termsVersion,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import * as repository from './auth.texts.repository.ts'

/** The English wording of terms and risks of this release, at the same depth above src/ and dist/. */
const WORDING_FILE = new URL('../../../../terms/wording.txt', import.meta.url)

const WORDING = readFileSync(WORDING_FILE, 'utf8')
if (hash('sha256', WORDING, 'hex') !== TERMS_WORDING.sha256)
  throw new Error('terms/wording.txt is not the wording of this release')

/** The delay after which every publication of a plan for a day, which must precede the day, has committed. */
const SETTLED_AFTER_MS = 60_000

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly plans: Pick<PlansService, 'versionAt'>
  readonly facts: Omit<TermsFacts, 'planVersion'>
}

export type TermsTexts = ReturnType<typeof createTermsTexts>

/**
 * Creates the service of the texts that members sign: the wording of the release with the figures of the plan of the day and of the
 * settings. Reading it writes nothing: `keep`, which background work calls every few seconds, and the first acceptance store it.
 * Decisions 43 and 60.
 */
export function createTermsTexts({ db, now, plans, facts }: Deps) {
  const stored = new Set<string>()
  let settled: { readonly day: Day; readonly terms: TermsVersion } | undefined

  async function rendered(reader: Db, at: number) {
    const { version: planVersion, plan } = await plans.versionAt(reader, dayOf(at))
    const text = renderTerms(WORDING, termsFigures(plan, { ...facts, planVersion }))
    const sha256 = hash('sha256', text, 'hex')
    return { terms: { version: termsVersion(sha256), sha256 }, text, planVersion }
  }

  async function store(terms: TermsVersion, text: string): Promise<void> {
    await repository.store(db, { ...terms, text, at: now() })
    // The first digits of two hashes may be the same.
    if (!(await repository.isStored(db, terms)))
      throw new Error(`another text has the version ${terms.version}`)
    stored.add(terms.sha256)
  }

  return {
    /** Returns the text in force now, without its words. From 00:00 UTC of a plan's first day on, it is another one. */
    async inForce(): Promise<TermsVersion> {
      const at = now().getTime()
      const day = dayOf(at)
      if (settled?.day === day) return settled.terms
      const { terms, planVersion } = await rendered(db, at)
      // The first plan of all may still be published for a day that has begun.
      if (at - startOfDay(day) > SETTLED_AFTER_MS && planVersion > 0n) settled = { day, terms }
      return terms
    },

    /** Returns the version of the text in force now, for a transaction, which takes no second connection and stores nothing. */
    versionIn: async (dbTx: Db): Promise<string> => (await rendered(dbTx, now().getTime())).terms.version,

    /** Stores the text in force, unless this process knows that it is. Returns it without its words. */
    async keep(): Promise<TermsVersion> {
      const at = now().getTime()
      if (settled?.day === dayOf(at) && stored.has(settled.terms.sha256)) return settled.terms
      const { terms, text } = await rendered(db, at)
      if (!stored.has(terms.sha256)) await store(terms, text)
      return terms
    },

    /** Returns the words of a text that is or was in force. */
    async textOf(version: string): Promise<string | undefined> {
      const kept = await repository.textOf(db, version)
      if (kept !== undefined) return kept
      const { terms, text } = await rendered(db, now().getTime())
      return terms.version === version ? text : undefined
    },

    /** Reports whether exactly this text is or was in force. */
    async wasInForce(terms: TermsVersion): Promise<boolean> {
      if (await repository.isStored(db, terms)) return true
      return (await rendered(db, now().getTime())).terms.sha256 === terms.sha256
    },
  }
}
