import { useEffect, useRef, useState } from 'react'
import { kept, useTranslation } from '../../../lib/index.ts'
import { Button, Sheet } from '../../../ui/index.ts'

export interface QueueKeys {
  /** Moves to the next (1) or the previous (-1) row. */
  readonly move: (by: 1 | -1) => void
  readonly open: () => void
  /** Selects or deselects the row. */
  readonly select?: () => void
  /** Closes what is open. */
  readonly close: () => void
}

const OFF_KEY = 'ops_keys_off'
const areOn = () => kept.get(OFF_KEY) === null

/**
 * Navigates a queue by keyboard: J and K move, Enter opens, X or the space bar selects, Escape closes, and ?
 * lists the keys. The letter keys can be switched off. They do nothing in fields, over sheets, and with
 * Control, Alt or Meta.
 */
export function useQueueKeys(keys: QueueKeys) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isOn, setOn] = useState(areOn)
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return
      if (event.key === '?') {
        event.preventDefault()
        setHelpOpen(true)
        return
      }
      if (!areOn()) return
      const act = actionOf(event, latest.current)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  const help = isHelpOpen && (
    <KeysSheet
      isOn={isOn}
      hasSelect={keys.select !== undefined}
      onSwitch={() => {
        kept.set(OFF_KEY, isOn ? 'off' : null)
        setOn(!isOn)
      }}
      onClose={() => setHelpOpen(false)}
    />
  )
  return { help, openHelp: () => setHelpOpen(true) }
}

function actionOf({ key, target }: KeyboardEvent, keys: QueueKeys): (() => void) | undefined {
  switch (key) {
    case 'j':
      return () => keys.move(1)
    case 'k':
      return () => keys.move(-1)
    case 'x':
      return keys.select
    case ' ':
      // Enter opens a row, so the space bar is free for the selection.
      return isControl(target) && !isRow(target) ? undefined : keys.select
    case 'Escape':
      return keys.close
    case 'Enter':
      // A focused button or link keeps its own action.
      return isControl(target) ? undefined : keys.open
    default:
      return undefined
  }
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=alertdialog]') !== null

const isRow = (target: EventTarget | null) => target instanceof Element && target.matches('[data-row]')

const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, summary, input') !== null

interface KeysSheetProps {
  isOn: boolean
  hasSelect: boolean
  onSwitch: () => void
  onClose: () => void
}

function KeysSheet({ isOn, hasSelect, onSwitch, onClose }: KeysSheetProps) {
  const { t } = useTranslation()
  const lines = [
    ['J', t('desk.keys.next')],
    ['K', t('desk.keys.previous')],
    ['Enter', t('desk.keys.open')],
    ...(hasSelect
      ? [
          ['X', t('desk.keys.select')],
          [t('desk.keys.space'), t('desk.keys.select')],
        ]
      : []),
    ['Esc', t('desk.keys.close')],
    ['?', t('desk.keys.help')],
  ] as const
  return (
    <Sheet open onClose={onClose} title={t('desk.keys.title')}>
      <div className="flex flex-col gap-4">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3 text-14">
          {lines.map(([key, text]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="inline-block min-w-8 rounded-8 bg-sunken px-2 py-1 text-center font-sans font-medium">
                  {key}
                </kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Button variant="secondary" onClick={onSwitch}>
          {t(isOn ? 'desk.keys.turnOff' : 'desk.keys.turnOn')}
        </Button>
      </div>
    </Sheet>
  )
}
