import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/**
 * The JavaScript of a text in ICU message format: a string, or a function of the text's values and the words of its
 * language (src/lib/message.ts). Throws on what no text of the app uses, such as dates, tags and styles of numbers.
 */
export function compileMessage(message: string): string {
  const elements = parse(message)
  const isPlain = elements.every(({ type }) => type === TYPE.literal)
  return isPlain ? codeOf(elements) : `(v,w)=>${codeOf(elements)}`
}

function codeOf(elements: readonly MessageFormatElement[], counted?: string): string {
  if (elements.length === 0) return '""'
  return elements.map((element) => codeOfElement(element, counted)).join('+')
}

function codeOfElement(element: MessageFormatElement, counted: string | undefined): string {
  switch (element.type) {
    case TYPE.literal:
      return JSON.stringify(element.value)
    case TYPE.argument:
      return `w.text(v.${element.value})`
    case TYPE.number:
      if (element.style) break
      return `w.number(v.${element.value})`
    case TYPE.pound:
      return `w.number(v.${counted})`
    case TYPE.select:
      return `w.select(v.${element.value},${casesOf(element.options, counted)})`
    case TYPE.plural:
      if (element.offset !== 0 || element.pluralType !== 'cardinal') break
      return `w.plural(v.${element.value},${casesOf(element.options, element.value)})`
  }
  throw new Error(`a text uses what is not compiled: ${JSON.stringify(element)}`)
}

function casesOf(options: Record<string, { value: MessageFormatElement[] }>, counted: string | undefined) {
  const cases = Object.entries(options).map(
    ([name, { value }]) => `${JSON.stringify(name)}:${codeOf(value, counted)}`,
  )
  return `{${cases.join(',')}}`
}
