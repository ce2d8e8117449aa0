import { type RefObject, useEffect, useState } from 'react'

/**
 * Fills the screen with a part of the page. The document becomes fullscreen, not the part, so that sheets and
 * menus are still above it; if the browser has no fullscreen (iPhone), the part fills the window. Escape
 * leaves. Covered elements cannot be reached by keyboard either.
 */
export function useFullscreen(part: RefObject<HTMLElement | null>) {
  const [isOn, setIsOn] = useState(false)

  useEffect(() => {
    if (!isOn) return
    const root = document.documentElement
    const stop = new AbortController()
    const { signal } = stop
    let hasEntered = document.fullscreenElement !== null
    document.addEventListener(
      'fullscreenchange',
      () => {
        if (document.fullscreenElement !== null) hasEntered = true
        else if (hasEntered) setIsOn(false)
      },
      { signal },
    )
    document.addEventListener(
      'keydown',
      (event) => {
        if (
          event.key === 'Escape' &&
          !event.defaultPrevented &&
          document.querySelector('[role=dialog],[role=menu]') === null
        )
          setIsOn(false)
      },
      { signal },
    )
    root.classList.add('overflow-hidden')
    const uncover = part.current === null ? () => {} : coverAround(part.current)
    return () => {
      stop.abort()
      uncover()
      root.classList.remove('overflow-hidden')
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined)
    }
  }, [isOn, part])

  return {
    isOn,
    toggle() {
      setIsOn(!isOn)
      // Refused or unsupported: the part still fills the window.
      if (!isOn) void document.documentElement.requestFullscreen?.().catch(() => undefined)
    },
  }
}

/**
 * Makes everything around an element inert, except live regions; sheets are outside #root. Returns the
 * function that undoes it.
 */
function coverAround(part: Element): () => void {
  const covered: HTMLElement[] = []
  for (let inner = part; inner.id !== 'root' && inner.parentElement !== null; inner = inner.parentElement)
    for (const other of inner.parentElement.children)
      if (other !== inner && other instanceof HTMLElement && other.getAttribute('role') !== 'status')
        covered.push(other)
  for (const element of covered) element.inert = true
  return () => {
    for (const element of covered) element.inert = false
  }
}
