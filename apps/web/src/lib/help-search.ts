import type MiniSearch from 'minisearch'
import { ARTICLES, type Article, articleOf, TERMS, type TermName, termOf } from './help.ts'
import { currentLocale } from './language.ts'
import type { Texts, Values } from './texts.ts'

/** One hit of a search: an article or a term of the glossary. */
export type HelpHit =
  | { readonly kind: 'article'; readonly name: Article }
  | { readonly kind: 'term'; readonly name: TermName }

export interface HelpIndex {
  /** Returns the best hits for a typed text; none for an empty one. */
  find: (typed: string) => readonly HelpHit[]
}

const MOST_HITS = 12
const FUZZY = 0.2
/** Shorter words are not searched with typing errors. */
const FUZZY_FROM = 4
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Splits a text into words of a language. Japanese, Chinese and Korean words have no spaces between them or
 * have endings, so each is also returned as its pairs of characters, which find parts of compounds.
 */
export function wordsIn(text: string, locale: string): string[] {
  const words = [
    ...new Intl.Segmenter(locale, { granularity: 'word' }).segment(text.normalize('NFKC').toLowerCase()),
  ]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => segment)
  return words.flatMap((word) => (CJK.test(word) ? [word, ...pairsOf(word)] : [word]))
}

function pairsOf(word: string): string[] {
  const letters = [...word]
  if (letters.length < 3) return []
  return letters.slice(0, -1).map((letter, at) => letter + letters[at + 1])
}

/**
 * Loads the search and indexes titles, texts and glossary. Its library is loaded here, at the first search.
 */
export async function makeHelpIndex(help: Texts, terms: Texts, values: Values): Promise<HelpIndex> {
  const { default: Search } = await import('minisearch')
  const locale = currentLocale()
  const split = (text: string) => wordsIn(text, locale)
  const index: MiniSearch = new Search({
    idField: 'id',
    fields: ['title', 'words', 'text'],
    tokenize: split,
    searchOptions: {
      tokenize: split,
      boost: { title: 3, words: 2 },
      prefix: true,
      fuzzy: (word) => (word.length >= FUZZY_FROM && !CJK.test(word) ? FUZZY : false),
    },
  })
  index.addAll([...articlesOf(help, values), ...termsOf(terms)])
  return {
    find: (typed) => {
      const every = index.search(typed, { combineWith: 'AND' })
      return (every.length > 0 ? every : index.search(typed))
        .slice(0, MOST_HITS)
        .map(({ id }) => hitOf(String(id)))
    },
  }
}

function articlesOf(help: Texts, values: Values) {
  return (Object.keys(ARTICLES) as Article[]).map((name) => {
    const { title, lead, words, parts } = articleOf(help, name, values)
    return {
      id: `article ${name}`,
      title,
      words,
      text: [lead, ...parts.flatMap((part) => [part.title, part.text])].join(' '),
    }
  })
}

function termsOf(terms: Texts) {
  return (Object.keys(TERMS) as TermName[]).map((name) => {
    const { name: title, text } = termOf(terms, name)
    return { id: `term ${name}`, title, words: '', text }
  })
}

function hitOf(id: string): HelpHit {
  const [kind, name] = id.split(' ')
  return kind === 'term' ? { kind, name: name as TermName } : { kind: 'article', name: name as Article }
}
