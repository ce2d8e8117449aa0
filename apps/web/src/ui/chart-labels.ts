/** A marked point of a chart, in shares of its width and height from the upper left. */
export interface Marked {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** A narrow chart in px, and about what a letter and a line of a label take of it. */
const [WIDTH, HEIGHT, LETTER, LINE] = [300, 144, 7, 18]

/**
 * Returns the indexes of the marked points whose labels fit: the latest first, without overlaps. The others
 * keep their mark, and the slider shows their text.
 */
export function labelsWithRoom(marks: readonly Marked[]): ReadonlySet<number> {
  const shown = new Map<number, ReturnType<typeof boxOf>>()
  for (const [index, mark] of [...marks.entries()].reverse()) {
    const box = boxOf(mark)
    const isFree = [...shown.values()].every(
      (other) =>
        box.right < other.left || other.right < box.left || Math.abs(box.middle - other.middle) > LINE,
    )
    if (isFree) shown.set(index, box)
  }
  return new Set(shown.keys())
}

/** Labels are right of the first third, left of the last and centred between. */
function boxOf({ x, y, text }: Marked) {
  const [at, width] = [x * WIDTH, text.length * LETTER]
  const left = x > 0.66 ? at - width : x < 0.33 ? at : at - width / 2
  return { left, right: left + width, middle: y * HEIGHT }
}
