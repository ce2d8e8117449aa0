import { useEffect, useState } from 'react'

/**
 * Fills the screen with a part of the page. The document goes fullscreen, not the part, so that sheets and menus still
 * stand above it; where the browser has no fullscreen (iPhone), the part fills the window. Escape leaves.
 */
export function useFullscreen() {
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
    return () => {
      stop.abort()
      root.classList.remove('overflow-hidden')
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined)
    }
  }, [isOn])

  return {
    isOn,
    toggle() {
      setIsOn(!isOn)
      // Refused or missing: the part fills the window all the same.
      if (!isOn) void document.documentElement.requestFullscreen?.().catch(() => undefined)
    },
  }
}
