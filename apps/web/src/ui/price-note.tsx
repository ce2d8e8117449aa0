import { lazy, Suspense, useState } from 'react'
import { cx, type Translate, useTranslation } from '../lib/index.ts'
import type { PriceNoteSubject } from './price-note-sheet.tsx'

const PriceNoteSheet = lazy(() => import('./price-note-sheet.tsx'))

type PriceNoteProps = PriceNoteSubject & {
  /** Names the price in the text, where it stands apart from it. */
  named?: boolean
  className?: string
}

/**
 * Links a price on a screen to its source and date, in a sheet that is loaded on the tap. It is below every
 * price of AMC and RIF, and every NAV, on which a member acts or acted.
 */
export function PriceNote({ named = false, className, ...subject }: PriceNoteProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const title = titleOf(t, subject)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t('price.noteOf', { title })}
        className={cx('touch-line inline-block text-12 font-normal text-muted', className)}
        onClick={() => {
          setWasOpen(true)
          setOpen(true)
        }}
      >
        <span className="underline decoration-dotted underline-offset-4">
          {named ? t('price.noteOf', { title }) : t('price.note')}
        </span>
      </button>
      <Suspense>
        {wasOpen && (
          <PriceNoteSheet subject={subject} title={title} open={isOpen} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  )
}

function titleOf(t: Translate, subject: PriceNoteSubject): string {
  if ('fund' in subject) return t('price.navTitle', { name: subject.fund })
  return subject.and === undefined ? t('price.title', { asset: subject.asset }) : t('price.both')
}
