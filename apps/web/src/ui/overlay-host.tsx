import { type ComponentType, lazy, Suspense, startTransition, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { modalStore, type OpenModal, toastStore } from '../lib/index.ts'

const loadDialogs = () => import('./dialogs.tsx')
const Modal = lazy(
  (): Promise<{ default: ComponentType<{ modal: OpenModal }> }> =>
    loadDialogs().then(
      (module) => ({ default: module.Modal }),
      () => ({ default: PlainModal }),
    ),
)
const Toasts = lazy(() =>
  loadDialogs().then(
    (module) => ({ default: module.Toasts }),
    () => ({ default: PlainToast }),
  ),
)

/** The browser's own dialog, in case the connection was lost before the modal's code had loaded. */
function PlainModal({ modal }: { modal: OpenModal }) {
  useEffect(() => {
    const ask = modal.showCancel === false ? window.alert : window.confirm
    modal.answer(ask(modal.content) !== false)
  }, [modal])
  return null
}

/** The last toast as a plain line, for the same case. */
function PlainToast() {
  const toast = useStore(toastStore)
  useEffect(() => {
    const timer = setTimeout(() => toastStore.setState(null), toast?.durationMs)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <p role="status" className="fixed inset-x-0 top-4 z-60 text-center text-14">
      {toast?.text}
    </p>
  )
}

/** A page that nobody touches has no message for long. */
const DIALOGS_AFTER_MS = 20_000
/** The first signs of somebody at the page. */
const TOUCHES = ['pointerdown', 'keydown', 'input'] as const

/** Draws the toasts and modals of lib/overlays.ts. Rendered once, beside the pages. */
export function OverlayHost() {
  const modals = useStore(modalStore)
  const hasToast = useStore(toastStore) !== null
  const [isReady, setReady] = useState(false)
  // A message often reports that the connection is lost, so its code must have loaded by then: with the first touch, which a message
  // mostly follows, and not for a page that is only read.
  useEffect(() => {
    // Loaded and drawn in steps, so that a phone handles taps meanwhile.
    const draw = () => startTransition(() => setReady(true))
    const load = () => {
      stop()
      void loadDialogs().then(draw, draw)
    }
    const timer = setTimeout(load, DIALOGS_AFTER_MS)
    for (const type of TOUCHES) window.addEventListener(type, load, { capture: true, passive: true })
    const stop = () => {
      clearTimeout(timer)
      for (const type of TOUCHES) window.removeEventListener(type, load, { capture: true })
    }
    return stop
  }, [])
  return (
    <Suspense>
      {(isReady || hasToast) && <Toasts />}
      {modals.map((modal) => (
        <Modal key={modal.id} modal={modal} />
      ))}
    </Suspense>
  )
}
