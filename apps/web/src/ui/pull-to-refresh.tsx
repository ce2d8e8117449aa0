import { type ReactNode, type TouchEvent, useRef, useState } from 'react'
import { Spinner } from './button.tsx'

const TRIGGER_PX = 64
const MAX_PULL_PX = 96

/** Pulling the page down from its top loads it anew. For touch; elsewhere the browser's own reload serves. */
export function PullToRefresh({
  onRefresh,
  children,
}: {
  onRefresh: () => Promise<unknown>
  children: ReactNode
}) {
  const startY = useRef<number | null>(null)
  const [pull, setPull] = useState(0)
  const [busy, setBusy] = useState(false)

  const onTouchStart = (event: TouchEvent) => {
    startY.current = window.scrollY <= 0 && !busy ? (event.touches[0]?.clientY ?? null) : null
  }
  const onTouchMove = (event: TouchEvent) => {
    if (startY.current === null) return
    // Half the finger's way, so that it feels like a spring.
    const way = ((event.touches[0]?.clientY ?? 0) - startY.current) / 2
    setPull(Math.min(MAX_PULL_PX, Math.max(0, way)))
  }
  const onTouchEnd = async () => {
    startY.current = null
    const enough = pull >= TRIGGER_PX
    setPull(0)
    if (!enough) return
    setBusy(true)
    try {
      await onRefresh()
    } finally {
      setBusy(false)
    }
  }
  const height = busy ? TRIGGER_PX : pull
  return (
    <div
      onTouchStart={onTouchStart}
      onTouchMove={onTouchMove}
      onTouchEnd={() => void onTouchEnd()}
      onTouchCancel={() => setPull(0)}
    >
      <div
        aria-hidden="true"
        className="grid place-items-center overflow-hidden text-muted transition-[height] duration-150"
        style={{ height }}
      >
        {height > 0 && <Spinner size={24} />}
      </div>
      {children}
    </div>
  )
}
