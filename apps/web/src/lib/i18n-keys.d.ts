import type { DefaultNamespace, Namespace } from 'i18next'
import type en from '../locales/en.json'

/** The keys of the texts as they are asked for, with the names of their groups before them: `my.title`. */
type TextKey<Texts, Path extends string = ''> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? `${Path}${Name}`
    : TextKey<Texts[Name], `${Path}${Name}.`>
}[keyof Texts & string]

// Makes every key that is not in the English texts an error of the type check.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
    enableSelector: false
  }

  // What i18next itself declares works with every text of the app at every call, which is more than the compiler does
  // for as many as there are. It tries this one first, and the others only where a key is unknown.
  type TFunction<Ns extends Namespace = DefaultNamespace, KPrefix = undefined> = (
    key: TextKey<typeof en>,
    values?: Readonly<Record<string, unknown>>,
  ) => string
}
