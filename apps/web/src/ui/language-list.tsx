import {
  LANGUAGE_OPTIONS,
  setLanguageOption,
  showToast,
  textLocale,
  useLanguageOption,
  useTranslation,
} from '../lib/index.ts'
import { Card } from './card.tsx'
import { Icon } from './icon.tsx'
import { Sheet } from './sheet.tsx'

/**
 * The language options as radio buttons. Those without their own texts name the language that is used
 * instead.
 */
export function LanguageList({ onChosen }: { onChosen?: () => void }) {
  const { t } = useTranslation()
  const current = useLanguageOption()
  const choose = async (code: (typeof LANGUAGE_OPTIONS)[number]['code']) => {
    try {
      await setLanguageOption(code)
      onChosen?.()
    } catch {
      // Its texts could not be loaded: the language stays as it is.
      showToast(t('common.loadFailed'), { tone: 'bad' })
    }
  }
  return (
    <Card className="py-2">
      <fieldset className="divide-y divide-line">
        <legend className="sr-only">{t('language.title')}</legend>
        {LANGUAGE_OPTIONS.map(({ code, name }) => {
          const inEnglish = code !== 'system' && code !== 'en' && textLocale(code) === 'en'
          return (
            <label
              key={code}
              className="flex min-h-14 cursor-pointer items-center gap-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="language"
                className="sr-only"
                checked={code === current}
                onChange={() => void choose(code)}
              />
              <span className="flex-1">
                <span lang={code === 'system' ? undefined : code} className="block text-16">
                  {code === 'system' ? t('language.system') : name}
                </span>
                {inEnglish && <span className="block text-12 text-muted">{t('language.english')}</span>}
              </span>
              {code === current && <Icon name="check" size={20} className="text-accent" />}
            </label>
          )
        })}
      </fieldset>
    </Card>
  )
}

/** The same as a sheet, for the login page, which must not be left. */
export function LanguageSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onClose={onClose} title={t('language.title')}>
      <LanguageList onChosen={onClose} />
    </Sheet>
  )
}
