import { type KeyboardEvent, type ReactNode, type TouchEvent, useId, useRef } from 'react'
import { cx } from '../lib/index.ts'

export interface SwipeTabsProps {
  label: string
  tabs: readonly string[]
  index: number
  onChange: (index: number) => void
  /** The content of the chosen tab. */
  children: ReactNode
}

const SWIPE_PX = 60

/** Tabs over one panel. A swipe or an arrow key selects the next or the previous one. */
export function SwipeTabs({ label, tabs, index, onChange, children }: SwipeTabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const swipe = useSwipe((step) => {
    if (tabs[index + step] !== undefined) onChange(index + step)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined || tabs[next] === undefined) return
    event.preventDefault()
    onChange(next)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((text, place) => (
          <button
            key={text}
            type="button"
            role="tab"
            id={`${id}-tab-${place}`}
            aria-selected={place === index}
            aria-controls={`${id}-panel`}
            tabIndex={place === index ? 0 : -1}
            onKeyDown={onKeyDown}
            onClick={() => onChange(place)}
            className={cx(
              '-mb-px min-h-11 flex-1 whitespace-nowrap lg:flex-none lg:px-5 border-b-2 px-1 text-16 font-semibold max-[359px]:text-14 transition-colors duration-150',
              place === index ? 'border-ink text-ink' : 'border-transparent text-muted',
            )}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${index}`}
        className="flex min-h-[60dvh] touch-pan-y flex-col gap-4"
        {...swipe}
      >
        {children}
      </div>
    </>
  )
}

/** Reports a horizontal swipe: 1 to the tab on the right, -1 to the tab on the left. */
function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches[0]
      start.current =
        touch === undefined || event.touches.length > 1 || scrollsSideways(event.target as Element)
          ? null
          : { x: touch.clientX, y: touch.clientY }
    },
    onTouchEnd: (event: TouchEvent) => {
      const touch = event.changedTouches[0]
      if (start.current === null || touch === undefined) return
      const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
      start.current = null
      if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
  }
}

/** Charts and rows of choices handle horizontal movements themselves. */
const scrollsSideways = (element: Element) => element.closest('input[type=range], .overflow-x-auto') !== null
