import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from '../lib/index.ts'
import { Button } from './button.tsx'
import type { SheetProps } from './dialogs.tsx'
import { Notice } from './states.tsx'
import { Countdown } from './time.tsx'

const SheetPanel = lazy(() => import('./dialogs.tsx').then(({ SheetPanel }) => ({ default: SheetPanel })))

/**
 * A panel that rises from the bottom edge; on a desktop it is centred. Focus stays inside, Escape closes. Its
 * code is loaded when the first one is opened.
 */
export function Sheet(props: SheetProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return <Suspense>{wasOpen && <SheetPanel {...props} />}</Suspense>
}

/**
 * The buttons at the end of a sheet: they stay visible while the rest is scrolled, on an opaque background.
 */
export function SheetDock({ children }: { children: ReactNode }) {
  return (
    <div
      data-dock
      className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-col gap-2 bg-page px-5 pt-3 pb-4 sm:rounded-b-24"
    >
      {children}
    </div>
  )
}

export interface QuoteSheetProps {
  title: string
  /** ISO time by this device's clock at which the offer ends; another one starts the sheet anew. */
  until: string
  confirmText: string
  isBusy: boolean
  isRenewing: boolean
  onConfirm: () => void
  /** Requests a new offer of the same kind. */
  onRenew: () => void
  onClose: () => void
  /** The sums that leave and arrive, as `Facts`. */
  children: ReactNode
}

const WARN_BELOW_MS = 15_000

/** An offer with a short validity: its content, its remaining time, and the only confirmation. */
export function QuoteSheet(props: QuoteSheetProps) {
  const { t } = useTranslation()
  const { until, isBusy } = props
  const [ended, setEnded] = useState<string | null>(null)
  const isOver = ended === until && !isBusy
  return (
    <Sheet open onClose={props.onClose} dismissible={!isBusy} title={props.title}>
      <div className="flex flex-col gap-5 pt-2">
        {props.children}
        {isOver ? (
          <Notice tone="warn">{t('quote.over')}</Notice>
        ) : (
          <p className="flex items-baseline justify-between text-14">
            <span className="text-muted">{t('quote.holds')}</span>
            <Countdown
              until={until}
              warnBelowMs={WARN_BELOW_MS}
              onEnd={() => setEnded(until)}
              className="text-16 font-semibold"
            />
          </p>
        )}
        <SheetDock>
          {isOver ? (
            <Button block busy={props.isRenewing} onClick={props.onRenew}>
              {t('quote.renew')}
            </Button>
          ) : (
            <Button moves="exchange" block busy={isBusy} onClick={props.onConfirm}>
              {props.confirmText}
            </Button>
          )}
        </SheetDock>
      </div>
    </Sheet>
  )
}
