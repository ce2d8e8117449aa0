import { CONFUSABLES } from './confusables.gen.ts'

const textOf = (codes: string) =>
  String.fromCodePoint(...codes.split('+').map((code) => Number.parseInt(code, 16)))

const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  CONFUSABLES.trim()
    .replaceAll(',\n', ',')
    .split(/\s+/)
    .flatMap((entry) => {
      const [prototype, codes] = entry.split('=') as [string, string]
      return codes.split(',').map((code) => [textOf(code), textOf(prototype)] as const)
    }),
)

/** Matches what no reader sees in a name: white space, controls, and characters without a width. */
const UNSEEN = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Replaces each character by the prototype of those that look like it (the skeleton of UTS #39). */
const skeletonOf = (text: string) =>
  Array.from(text.normalize('NFD'), (character) => PROTOTYPES.get(character) ?? character)
    .join('')
    .normalize('NFD')

/** Folds the case of each character by itself, so that a sigma at the end of a word is like any other. */
const foldOf = (text: string) =>
  Array.from(text.toUpperCase(), (character) => character.toLowerCase())
    .join('')
    .normalize('NFD')

/**
 * Returns the keys of a name: two names that share one look alike. A capital and a small letter look like
 * different characters (I like l, i like nothing else), so both forms of the name have a key.
 */
function keysOf(name: string): [string, string] {
  const plain = name.normalize('NFKC').replace(UNSEEN, '')
  return [foldOf(skeletonOf(plain)), foldOf(skeletonOf(foldOf(plain)))]
}

/**
 * Reports whether a reader could take one name for another: after NFKC, without invisible characters and white
 * space, with folded case, by the look-alike characters of a pinned version of Unicode. Rules, section 12.
 */
export function lookAlike(a: string, b: string): boolean {
  const keys = keysOf(b)
  return keysOf(a).some((key) => keys.includes(key))
}
