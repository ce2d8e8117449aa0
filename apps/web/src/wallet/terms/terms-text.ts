import { figuresIn, isOfWording, type TermsFigures, type TermsVersion, termsPath } from '@rif/rules'
import { inTime, sha256Hex } from '../../lib/index.ts'

/**
 * Thrown when a text of another wording than that of this app is in force; nothing is signed.
 */
export class OldTerms extends Error {
  constructor() {
    super('the terms of this app are not those in force')
    this.name = 'OldTerms'
  }
}

/**
 * Thrown when the published text is not the one with the hash that the message would name; nothing is signed.
 */
export class WrongTerms extends Error {
  constructor() {
    super('the published terms are not those to sign')
    this.name = 'WrongTerms'
  }
}

/** Returns a published English text of terms and risks. */
export async function publishedTerms(version: string): Promise<string> {
  const answer = await inTime(fetch(termsPath(version)))
  if (!answer.ok) throw new Error(`the terms ${version} could not be read`)
  return answer.text()
}

/**
 * Returns the figures of a text whose words this app shows, after a check that the published text has the hash. So the figures
 * on the screen, in every language, are those that the signature binds. Throws `OldTerms` and `WrongTerms`.
 */
export async function readTerms({ version, sha256 }: TermsVersion): Promise<TermsFigures> {
  if (!isOfWording(version)) throw new OldTerms()
  const text = await publishedTerms(version)
  if ((await sha256Hex(text)) !== sha256) throw new WrongTerms()
  return figuresIn(text)
}
