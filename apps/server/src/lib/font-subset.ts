import type { Font } from 'fontkit'
import { compactFont } from './cff.ts'

/** Tables that are taken over as they are; which glyphs there are does not matter to them. */
const KEPT = ['OS/2', 'head', 'name', 'post'] as const
const MISSING_GLYPH = 0
const OPENTYPE_CFF = 0x4f54544f
const TABLE_RECORD = 16
const HEADER = 12
/** Segmented coverage for all of Unicode, under the platform that everybody reads: Windows, full repertoire. */
const CMAP_FORMAT = 12
const WINDOWS = 3
const FULL_REPERTOIRE = 10

/**
 * An OpenType font with the outlines of some code points of another one, which has CFF outlines: a hundredth of its size, and
 * read in a moment. Hints, kerning and other layout rules are left out. Code points that the font lacks are skipped.
 */
export function subsetFont(content: Buffer, font: Font, points: Iterable<number>): Buffer {
  const ids = [MISSING_GLYPH]
  const mapped: [point: number, place: number][] = []
  for (const point of [...new Set(points)].sort((a, b) => a - b)) {
    if (!font.hasGlyphForCodePoint(point)) continue
    const { id } = font.glyphForCodePoint(point)
    if (!ids.includes(id)) ids.push(id)
    mapped.push([point, ids.indexOf(id)])
  }
  const glyphs = ids.map((id) => {
    const { advanceWidth, path } = font.getGlyph(id)
    return { advanceWidth, commands: path.commands }
  })
  const tables = new Map<string, Buffer>(KEPT.map((tag) => [tag, tableOf(content, tag)]))
  tables.set('CFF ', compactFont(font.postscriptName, glyphs))
  tables.set('cmap', characterMap(mapped))
  tables.set('hhea', withCount(tableOf(content, 'hhea'), 34, ids.length))
  tables.set('hmtx', metrics(glyphs.map(({ advanceWidth }) => advanceWidth)))
  tables.set('maxp', withCount(tableOf(content, 'maxp'), 4, ids.length))
  return assemble(tables)
}

function tableOf(content: Buffer, tag: string): Buffer {
  const count = content.readUInt16BE(4)
  for (let at = HEADER; at < HEADER + count * TABLE_RECORD; at += TABLE_RECORD) {
    if (content.toString('latin1', at, at + 4) !== tag) continue
    const offset = content.readUInt32BE(at + 8)
    return content.subarray(offset, offset + content.readUInt32BE(at + 12))
  }
  throw new Error(`the font has no table ${tag}`)
}

function withCount(table: Buffer, at: number, count: number): Buffer {
  const changed = Buffer.from(table)
  changed.writeUInt16BE(count, at)
  return changed
}

function metrics(widths: readonly number[]): Buffer {
  const table = Buffer.alloc(widths.length * 4)
  for (const [index, width] of widths.entries()) table.writeUInt16BE(width, index * 4)
  return table
}

function characterMap(mapped: readonly (readonly [number, number])[]): Buffer {
  const table = Buffer.alloc(28 + mapped.length * 12)
  table.writeUInt16BE(1, 2)
  table.writeUInt16BE(WINDOWS, 4)
  table.writeUInt16BE(FULL_REPERTOIRE, 6)
  table.writeUInt32BE(12, 8)
  table.writeUInt16BE(CMAP_FORMAT, 12)
  table.writeUInt32BE(16 + mapped.length * 12, 16)
  table.writeUInt32BE(mapped.length, 24)
  for (const [index, [point, glyph]] of mapped.entries()) {
    const at = 28 + index * 12
    table.writeUInt32BE(point, at)
    table.writeUInt32BE(point, at + 4)
    table.writeUInt32BE(glyph, at + 8)
  }
  return table
}

/** The tables as a file, in the order of their tags. No reader here looks at checksums. */
function assemble(tables: ReadonlyMap<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
  const head = Buffer.alloc(HEADER + sorted.length * TABLE_RECORD)
  head.writeUInt32BE(OPENTYPE_CFF, 0)
  head.writeUInt16BE(sorted.length, 4)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [index, [tag, table]] of sorted.entries()) {
    const at = HEADER + index * TABLE_RECORD
    head.write(tag, at, 'latin1')
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(table.length, at + 12)
    const padding = Buffer.alloc((4 - (table.length % 4)) % 4)
    parts.push(table, padding)
    offset += table.length + padding.length
  }
  return Buffer.concat(parts)
}
