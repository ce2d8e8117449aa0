import type { Locale } from '@rif/api-schema'
import { useRef, useState } from 'react'
import { base64Of, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  IconButton,
  NumberField,
  Segmented,
  Sheet,
  TextArea,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'
import {
  bytesOf,
  EMPTY_PRODUCT,
  LANGUAGES,
  MAX_PAPER_BYTES,
  MAX_PAPERS,
  type Paper,
  papersOf,
  RISKS,
  readProduct,
  WEEKDAYS,
} from './product-draft.ts'

/** The name of each language in that language. */
const LANGUAGE_NAMES = { en: 'English', 'zh-Hans': '简体中文', ja: '日本語', ko: '한국어' } as const
const FEES = ['subscription', 'redemption', 'management'] as const
const LIMITS = ['memberUnits', 'maxUnits'] as const
const MAX_INTRODUCTION = 4000

interface ProductFormProps {
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/**
 * Asks for a new fund product with its terms, which never change afterwards; typed text survives a reload.
 */
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
    const missing = LANGUAGES.find((item) => values[item].trim() === '')
    if (missing !== undefined) setLanguage(missing)
    form.submit(({ payload }) => onSubmit({ kind: 'fund_product', payload }, form.clear))()
  }
  const percent = (key: 'annual' | 'sold' | (typeof FEES)[number], hint?: string) => (
    <NumberField
      key={key}
      label={t(`admin.product.${key}`)}
      unit="%"
      decimals={4}
      printed={0}
      placeholder="0"
      hint={hint}
      {...field(key)}
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
          label={t('admin.product.opening')}
          unit="USDT"
          hint={t('admin.product.openingHint')}
          {...field('opening')}
        />
        <AmountField
          label={t('admin.product.minimum')}
          unit="USD"
          hint={t('admin.product.minimumHint')}
          {...field('minimum')}
        />
        <NumberField label={t('admin.product.lock')} unit="" decimals={0} printed={0} {...field('lock')} />
        <Weekdays {...field('weekdays')} />
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          {percent('sold', t('admin.product.soldHint'))}
          {LIMITS.map((limit) => (
            <NumberField
              key={limit}
              label={t(`admin.product.${limit}`)}
              unit=""
              decimals={0}
              printed={0}
              hint={t('admin.product.noLimit')}
              {...field(limit)}
            />
          ))}
        </div>
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
  /** The days' numbers in a row, 1 Monday to 7 Sunday. */
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
                onChange(WEEKDAYS.filter((item) => value.includes(`${item}`) !== (item === day)).join(''))
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

interface PaperListProps {
  papers: readonly Paper[]
  error: string | undefined
  onChange: (papers: readonly Paper[]) => void
}

/** The documents that members of a product can read: files with a title each. */
function PaperList({ papers, error, onChange }: PaperListProps) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  const add = async (chosen: File) => {
    const media_type = chosen.type === 'application/pdf' ? 'application/pdf' : 'text/plain'
    onChange([
      ...papers,
      { title: chosen.name.slice(0, 120), media_type, content: base64Of(await chosen.arrayBuffer()) },
    ])
  }
  return (
    <section aria-label={t('admin.product.papers')} className="flex flex-col gap-3">
      <p className="text-14 font-medium">{t('admin.product.papers')}</p>
      {papers.map((paper, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two papers may be the same, and their order is what is typed
        <div key={place} className="flex items-end gap-2 *:first:flex-1">
          <TextField
            label={t('admin.product.paperTitle', { place: place + 1 })}
            maxLength={120}
            value={paper.title}
            onChange={({ target }) =>
              onChange(
                papers.map((paper, other) => (other === place ? { ...paper, title: target.value } : paper)),
              )
            }
          />
          <IconButton
            icon="close"
            label={t('admin.product.paperRemove', { title: paper.title })}
            onClick={() => onChange(papers.filter((_, other) => other !== place))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          disabled={papers.length >= MAX_PAPERS}
          onClick={() => file.current?.click()}
        >
          {t('admin.product.paperAdd')}
        </Button>
        <p className={error === undefined ? 'text-12 text-muted' : 'text-12 text-bad'} role="status">
          {error ??
            t('admin.product.papersHint', {
              most: MAX_PAPERS,
              used: Math.ceil(bytesOf(papers) / 1000),
              kb: MAX_PAPER_BYTES / 1000,
            })}
        </p>
      </div>
      <input
        ref={file}
        type="file"
        accept=".pdf,.txt,application/pdf,text/plain"
        hidden
        onChange={({ target }) => {
          const chosen = target.files?.[0]
          // The same file may be chosen again.
          target.value = ''
          if (chosen !== undefined) void add(chosen)
        }}
      />
    </section>
  )
}
