/** A point of a chart, in shares of its width and height from the upper left. */
interface Point {
  readonly x: number
  readonly y: number
}

/** A marked point. */
export interface Marked extends Point {
  readonly text: string
}

/** Where the label of a point is. */
export interface Spot {
  readonly side: 'left' | 'middle' | 'right'
  readonly level: 'above' | 'below'
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A narrow chart in px, and about what a letter and a line of a label take of it. */
const [WIDTH, HEIGHT, LETTER, LINE] = [300, 144, 7, 18]
/** The distance in px between a point and its label: beside it, above or below it. */
const [BESIDE, APART] = [8, 6]
/** The distance in px between two places at which a line is compared with a label. */
const STEP = 4

/**
 * Returns the spot of each label that fits, by the index of its point: where the line crosses it least, and without overlaps. The latest
 * points come first. The others keep their mark, and the slider shows their text.
 */
export function spotsOfLabels(marks: readonly Marked[], line: readonly Point[]): ReadonlyMap<number, Spot> {
  const spots = new Map<number, Spot>()
  const taken: Box[] = []
  for (const [index, mark] of [...marks.entries()].reverse()) {
    const free = spotsOf(mark)
      .map((spot) => ({ spot, box: boxOf(mark, spot) }))
      .filter(({ box }) => isInside(box) && !taken.some((other) => overlap(box, other)))
      .map((place) => ({ ...place, crossings: crossingsOf(place.box, line) }))
    const [best] = free.sort((left, right) => left.crossings - right.crossings)
    if (!best) continue
    spots.set(index, best.spot)
    taken.push(best.box)
  }
  return spots
}

/** Returns all spots, those away from the near edge and above the point first. */
function spotsOf({ x }: Point): Spot[] {
  const first = x > 0.66 ? 'left' : x < 0.33 ? 'right' : 'middle'
  const sides = [first, ...(['middle', 'left', 'right'] as const).filter((side) => side !== first)] as const
  return sides.flatMap((side) => [{ side, level: 'above' } as const, { side, level: 'below' } as const])
}

function boxOf({ x, y, text }: Marked, { side, level }: Spot): Box {
  const [at, width] = [x * WIDTH, text.length * LETTER]
  const left = { left: at - width - BESIDE, middle: at - width / 2, right: at }[side]
  const top = y * HEIGHT + (level === 'above' ? -APART - LINE : APART)
  return { left, right: left + width, top, bottom: top + LINE }
}

/** Reports whether a label stays beside the values of the axis and above its dates. There is space above the chart. */
const isInside = ({ left, right, top, bottom }: Box) =>
  left >= -BESIDE && right <= WIDTH + BESIDE && top >= -APART - LINE && bottom <= HEIGHT

const overlap = (box: Box, other: Box) =>
  box.left <= other.right && other.left <= box.right && box.top < other.bottom && other.top < box.bottom

/** Counts the places at which a line runs through a label. */
function crossingsOf({ left, right, top, bottom }: Box, line: readonly Point[]): number {
  let count = 0
  for (const [index, to] of line.entries()) {
    const from = line[index - 1]
    if (!from) continue
    const [dx, dy] = [(to.x - from.x) * WIDTH, (to.y - from.y) * HEIGHT]
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / STEP))
    for (let step = 0; step < steps; step++) {
      const [x, y] = [from.x * WIDTH + (dx * step) / steps, from.y * HEIGHT + (dy * step) / steps]
      if (x >= left && x <= right && y >= top && y <= bottom) count++
    }
  }
  return count
}
