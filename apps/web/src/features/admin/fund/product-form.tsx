import type { Locale } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Segmented,
  Sheet,
  TextArea,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import type { Wanted } from '../proposals/prepare-sheet.tsx'
import { PaperList } from './paper-list.tsx'
import { EMPTY_PRODUCT, LANGUAGES, papersOf, RISKS, readProduct, WEEKDAYS } from './product-draft.ts'

/** How each language calls itself. */
const LANGUAGE_NAMES = { en: 'English', 'zh-Hans': '简体中文', ja: '日本語', ko: '한국어' } as const
const FEES = ['subscription', 'redemption', 'management'] as const
const MAX_INTRODUCTION = 4000

export interface ProductFormProps {
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a new fund product with its terms, which never change afterwards; what was typed outlasts a reload. */
export function ProductForm({ onSubmit, onClose }: ProductFormProps) {
  const { t } = useTranslation()
  const { values, field, textField, ...form } = useDraftForm({
    name: 'fund product',
    initial: EMPTY_PRODUCT,
    check: readProduct,
    text: (problem) => (problem === 'invalid' ? t('admin.fund.invalid') : t(`admin.product.${problem}`)),
    recheck: true,
  })
  const [language, setLanguage] = useState<Locale>('en')
  const submit = () => {
    const missing = LANGUAGES.find((one) => values[one].trim() === '')
    if (missing !== undefined) setLanguage(missing)
    form.submit(({ payload }) => onSubmit({ kind: 'fund_product', payload }, form.clear))()
  }
  const percent = (key: 'annual' | (typeof FEES)[number], hint?: string) => (
    <TextField
      key={key}
      label={t(`admin.product.${key}`)}
      inputMode="decimal"
      placeholder="0"
      end={<span className="text-14 text-muted">%</span>}
      hint={hint}
      {...textField(key)}
    />
  )
  return (
    <Sheet open onClose={onClose} title={t('admin.product.title')}>
      <div className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t('admin.product.about')}</p>
        <TextField label={t('admin.product.name')} maxLength={80} {...textField('name')} />
        <TextArea
          label={t('admin.product.introduction', { language: LANGUAGE_NAMES[language] })}
          hint={t('admin.product.introductionHint')}
          above={
            <Segmented
              label={t('language.title')}
              options={LANGUAGES.map((value) => ({
                value,
                label: `${LANGUAGE_NAMES[value]}${values[value].trim() === '' ? '' : ' ✓'}`,
              }))}
              value={language}
              onChange={setLanguage}
            />
          }
          maxLength={MAX_INTRODUCTION}
          {...field(language)}
          onChange={({ target }) => field(language).onChange(target.value)}
        />
        <div className="flex flex-col gap-2">
          <p className="text-14 font-medium">{t('admin.product.risk')}</p>
          <Segmented
            label={t('admin.product.risk')}
            options={RISKS.map((value) => ({ value, label: value }))}
            {...field('risk')}
          />
        </div>
        {percent('annual', t('admin.product.annualHint'))}
        <AmountField
          label={t('admin.product.minimum')}
          unit="USD"
          hint={t('admin.product.minimumHint')}
          {...field('minimum')}
        />
        <TextField label={t('admin.product.lock')} inputMode="numeric" {...textField('lock')} />
        <Weekdays {...field('weekdays')} />
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">{FEES.map((fee) => percent(fee))}</div>
        <PaperList
          papers={papersOf(values)}
          error={field('papers').error}
          onChange={(papers) => field('papers').onChange(JSON.stringify(papers))}
        />
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}

interface WeekdaysProps {
  /** The days' numbers one after the other, 1 Monday to 7 Sunday. */
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function Weekdays({ value, error, onChange }: WeekdaysProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-14 font-medium">{t('admin.product.weekdays')}</legend>
      <div className="flex flex-wrap gap-x-4">
        {WEEKDAYS.map((day) => (
          <label key={day} className="flex min-h-11 items-center gap-2 text-14">
            <input
              type="checkbox"
              className="size-5"
              checked={value.includes(`${day}`)}
              onChange={() =>
                onChange(WEEKDAYS.filter((one) => value.includes(`${one}`) !== (one === day)).join(''))
              }
            />
            {t(`fund.weekday.${day}`)}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-12 text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
