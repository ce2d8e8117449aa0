import { lazy, type ReactNode, Suspense, useState } from 'react'

export interface SheetProps {
  open: boolean
  onClose: () => void
  title: string
  /** Small print under the title. */
  description?: ReactNode
  children: ReactNode
  /** False: only the content's own buttons close it. */
  dismissible?: boolean
}

const SheetPanel = lazy(() => import('./sheet-panel.tsx'))

/**
 * A panel that rises from the bottom edge; on a desktop it stands in the middle. Focus stays inside, Escape closes.
 * Its code is loaded when one is opened first.
 */
export function Sheet(props: SheetProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return <Suspense>{wasOpen && <SheetPanel {...props} />}</Suspense>
}
