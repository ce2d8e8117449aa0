import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../lib/i18n.ts'
import { Spinner } from './button.tsx'
import { Icon } from './icon.tsx'

const TRIGGER_PX = 64
const MAX_PULL_PX = 96

/**
 * Pulling the page down from its top loads it anew, wherever on the page the finger is. For touch; elsewhere the
 * browser's own reload serves. Stands beside the content.
 */
export function PullToRefresh({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const [pull, setPull] = useState(0)
  const [busy, setBusy] = useState(false)
  const refresh = useRef(onRefresh)
  refresh.current = onRefresh

  useEffect(() => {
    let startY: number | null = null
    let way = 0
    let running = false
    const onStart = (event: TouchEvent) => {
      const isOverlay = event.target instanceof Element && event.target.closest('[role$="dialog"]') !== null
      const isPull = window.scrollY <= 0 && !running && !isOverlay && event.touches.length === 1
      startY = isPull ? (event.touches[0]?.clientY ?? null) : null
      way = 0
    }
    const onMove = (event: TouchEvent) => {
      if (startY === null) return
      // Half the finger's way, so that it feels like a spring.
      way = Math.min(MAX_PULL_PX, Math.max(0, ((event.touches[0]?.clientY ?? 0) - startY) / 2))
      if (window.scrollY > 0) way = 0
      setPull(way)
    }
    const onEnd = async () => {
      const enough = startY !== null && way >= TRIGGER_PX
      startY = null
      setPull(0)
      if (!enough) return
      running = true
      setBusy(true)
      await refresh.current().catch(() => undefined)
      running = false
      setBusy(false)
    }
    const onCancel = () => {
      startY = null
      setPull(0)
    }
    const listeners = { touchstart: onStart, touchmove: onMove, touchend: onEnd, touchcancel: onCancel }
    for (const [type, listener] of Object.entries(listeners))
      window.addEventListener(type, listener as EventListener, { passive: true })
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        window.removeEventListener(type, listener as EventListener)
    }
  }, [])

  const offset = busy ? TRIGGER_PX : pull
  if (offset === 0) return null
  return (
    <div
      role="status"
      aria-label={busy ? t('common.loading') : undefined}
      className="pointer-events-none fixed inset-x-0 top-2 z-20 flex justify-center"
      style={{ transform: `translateY(${offset}px)`, opacity: Math.min(1, offset / TRIGGER_PX) }}
    >
      <span className="grid size-11 place-items-center rounded-full bg-card text-accent shadow-lg">
        {busy ? (
          <Spinner size={24} />
        ) : (
          <span style={{ transform: `rotate(${(offset / TRIGGER_PX) * 270}deg)` }}>
            <Icon name="refresh" size={20} />
          </span>
        )}
      </span>
    </div>
  )
}
