/**
 * Scrolls a column as little as needed to show one of its parts, and keeps `belowPx` free at its lower edge. Unlike
 * `scrollIntoView` it does not scroll the page around the column.
 */
export function scrollWithin(column: Element, part: Element, belowPx = 0): void {
  const edge = column.getBoundingClientRect()
  const { top, bottom } = part.getBoundingClientRect()
  const under = bottom - (edge.bottom - belowPx)
  const over = edge.top - top
  if (under > 0) column.scrollTop += under
  else if (over > 0) column.scrollTop -= over
}
