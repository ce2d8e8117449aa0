import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { TermName } from '../lib/index.ts'

const TermSheet = lazy(() => import('./term-sheet.tsx'))

/**
 * A word of the glossary: a tap or Enter opens what it means, with the article that says more. Touched in 44 px, it takes no more
 * room in its line than the word.
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
