import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const styles = readFileSync(join(import.meta.dirname, '../styles.css'), 'utf8')

/** Returns a token's colours in the light and in the dark theme. */
function token(name: string): [light: string, dark: string] {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(styles) ?? []
  if (light === undefined || dark === undefined) throw new Error(`no token ${name}`)
  return [light, dark]
}

/** Returns the relative luminance of WCAG 2 of "#rrggbb". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (over: string, under: string) => (luminance(over) + 0.05) / (luminance(under) + 0.05)

describe('tokens', () => {
  it('draws the selected segment lighter than its track in both themes', () => {
    const [selected, track] = [token('selected'), token('sunken')]
    expect(contrast(selected[0], track[0])).toBeGreaterThan(1.1)
    expect(contrast(selected[1], track[1])).toBeGreaterThan(1.5)
  })

  it('gives each size of text a spacing of its own, so that none inherits that of a larger one in pixels', () => {
    const sizes = [...styles.matchAll(/--text-(\d+): /g)].map(([, size]) => Number(size))
    const spaced = [...styles.matchAll(/--text-(\d+)--letter-spacing: /g)].map(([, size]) => Number(size))
    expect(sizes.length).toBeGreaterThan(8)
    expect(sizes.filter((size) => !spaced.includes(size))).toEqual([])
  })

  it.each(['ink', 'muted', 'accent', 'good', 'warn', 'bad'])('%s can be read on every surface', (text) => {
    for (const surface of ['page', 'card', 'sunken'])
      for (const theme of [0, 1] as const) {
        const ratio = contrast(token(text)[theme], token(surface)[theme])
        expect(Math.max(ratio, 1 / ratio), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      }
  })
})
