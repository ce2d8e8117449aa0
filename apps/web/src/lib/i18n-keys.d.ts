import type en from '../locales/en.json'

// Makes every key that is not in the English texts an error of the type check.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof en }
    enableSelector: false
  }
}
