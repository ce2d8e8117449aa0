import { expect, type Locator, type Page } from '@playwright/test'

/** More stops than any page has at its start; a walk that does not end there goes round in circles. */
const MOST_STOPS = 100

/** Goes to a control with the Tab key alone and presses Enter; fails when the key does not reach it. */
export async function pressByKeyboard(target: Locator): Promise<void> {
  await expect(target).toBeEnabled()
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) break
    await target.page().keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
  await target.page().keyboard.press('Enter')
}

interface Stop {
  what: string
  /** Its place among the controls of the page. */
  place: number
  /** Of the page, not of the window. */
  left: number
  top: number
  bottom: number
  /** In a bar that stays where it is, outside of the order of the page. */
  inBar: boolean
  inSight: boolean
}

/**
 * Goes through a page with the Tab key, from its start, and tells what is wrong: a control that is not reached, one that
 * stands above or before the one that came before it, and one that has the focus while it lies under a bar or out of sight.
 */
export async function walk(page: Page): Promise<string[]> {
  const controls = await page.evaluate(numberControls)
  const stops: Stop[] = []
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(readStop)
    if (stop === null || stop.place === stops[0]?.place) break
    stops.push(stop)
  }
  const reached = new Set(stops.map(({ place }) => place))
  const hidden = stops.filter(({ inSight }) => !inSight).map(({ what }) => `${what}: not in sight`)
  const inPage = stops.filter(({ inBar }) => !inBar)
  const outOfOrder = inPage.flatMap((stop, index) => {
    const before = inPage[index - 1]
    return before !== undefined && isBefore(stop, before) ? [`${stop.what}: after ${before.what}`] : []
  })
  const missed = controls.filter((_, place) => !reached.has(place)).map((what) => `${what}: not reached`)
  return [...hidden, ...outOfOrder, ...missed]
}

const MIDDLE_PX = 8

/** As one reads: further up, or in the same line further left. */
function isBefore(stop: Stop, other: Stop): boolean {
  const isSameLine = Math.abs(stop.top + stop.bottom - other.top - other.bottom) / 2 < MIDDLE_PX
  return isSameLine ? stop.left < other.left : stop.bottom <= other.top
}

/** Of radio buttons the chosen one is reached, the others by arrow keys. */
function numberControls(): string[] {
  const all = document.querySelectorAll<HTMLElement>(
    'a[href], button:enabled, input:enabled, textarea:enabled, summary, [tabindex="0"]',
  )
  const reachable = [...all].filter(
    (item) =>
      item.tabIndex >= 0 &&
      item.checkVisibility({ visibilityProperty: true }) &&
      !(item instanceof HTMLInputElement && item.type === 'radio' && !item.checked),
  )
  return reachable.map((item, place) => {
    item.dataset.place = String(place)
    return `${item.tagName.toLowerCase()} ${(item.ariaLabel ?? item.textContent ?? '').trim().slice(0, 40)}`
  })
}

function readStop(): Stop | null {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return null
  const isChoice = focused instanceof HTMLInputElement && /radio|checkbox/.test(focused.type)
  const target = isChoice ? (focused.labels?.[0] ?? focused) : focused
  const { left, top, bottom, width } = target.getBoundingClientRect()
  let scrolledPx = 0
  for (let ancestor = target.parentElement; ancestor !== null; ancestor = ancestor.parentElement)
    scrolledPx += ancestor.scrollLeft
  const middle = document.elementFromPoint(left + width / 2, (top + bottom) / 2)
  return {
    what: (focused.ariaLabel ?? target.textContent ?? '').trim().slice(0, 40),
    place: Number(focused.dataset.place ?? -1),
    left: left + scrolledPx,
    top: top + window.scrollY,
    bottom: bottom + window.scrollY,
    inBar: target.closest('header, footer, #root > nav') !== null,
    inSight: top >= 0 && bottom <= window.innerHeight && target.contains(middle),
  }
}
