import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { TermName } from '../lib/index.ts'

const TermSheet = lazy(() => import('./term-sheet.tsx'))

/**
 * A term of the glossary: a tap or Enter opens its meaning, with a link to an article with details. Its touch
 * area is 44 px, but it takes no more space in its line than the word.
 */
export function Term({ name, children }: { name: TermName; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className="touch-line relative inline-block min-w-11 text-left [font:inherit] text-inherit"
        onClick={() => {
          setWasOpen(true)
          setOpen(true)
        }}
      >
        <span className="underline decoration-dotted underline-offset-4">{children}</span>
      </button>
      <Suspense>{wasOpen && <TermSheet name={name} open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
