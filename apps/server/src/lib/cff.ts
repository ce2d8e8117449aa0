/** A glyph: its advance and its outline in absolute whole coordinates, as fontkit tells them. */
export interface Glyph {
  readonly advanceWidth: number
  readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[]
}

const MOVE = 21
const LINE = 5
const CURVE = 8
const END = 14
/** Operators of a top DICT. */
const CHARSET = 15
const CHAR_STRINGS = 17
const PRIVATE = 18
/** Each operand that is an offset is written in five bytes, so that a DICT's length does not hang on it. */
const TOP_DICT_BYTES = 4 * 5 + 3
/** `defaultWidthX 0`: every glyph says its own width. */
const PRIVATE_DICT = Buffer.from([139, 20])
const HEADER = Buffer.from([1, 0, 4, 4])
const NO_ENTRIES = Buffer.from([0, 0])

/**
 * A Compact Font Format table (Adobe technical note 5176) of some glyphs, the first for what is missing: outlines alone,
 * without hints, subroutines and names, so that reading it costs next to nothing.
 */
export function compactFont(name: string, glyphs: readonly Glyph[]): Buffer {
  const names = index([Buffer.from(name, 'latin1')])
  const charset = Buffer.alloc(5)
  charset.writeUInt8(2)
  charset.writeUInt16BE(1, 1)
  charset.writeUInt16BE(Math.max(0, glyphs.length - 2), 3)
  const charStrings = index(glyphs.map(charString))
  const topIndexBytes = 2 + 1 + 2 * 4 + TOP_DICT_BYTES
  const charsetAt = HEADER.length + names.length + topIndexBytes + 2 * NO_ENTRIES.length
  const charStringsAt = charsetAt + charset.length
  const privateAt = charStringsAt + charStrings.length
  const top = Buffer.concat([
    ...[offset(charsetAt), Buffer.from([CHARSET]), offset(charStringsAt), Buffer.from([CHAR_STRINGS])],
    ...[offset(PRIVATE_DICT.length), offset(privateAt), Buffer.from([PRIVATE])],
  ])
  // Strings and global subroutines: none.
  const none = [NO_ENTRIES, NO_ENTRIES]
  return Buffer.concat([HEADER, names, index([top]), ...none, charset, charStrings, PRIVATE_DICT])
}

/** Entries one after the other, with four-byte offsets before them. */
function index(entries: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(3 + 4 * (entries.length + 1))
  head.writeUInt16BE(entries.length)
  head.writeUInt8(4, 2)
  let at = 1
  for (const [place, entry] of entries.entries()) {
    head.writeUInt32BE(at, 3 + 4 * place)
    at += entry.length
  }
  head.writeUInt32BE(at, 3 + 4 * entries.length)
  return Buffer.concat([head, ...entries])
}

/** A glyph's program (Adobe technical note 5177): the width, then moves, lines and curves, each from where the last one ended. */
function charString({ advanceWidth, commands }: Glyph): Buffer {
  const bytes: number[] = [...number(advanceWidth)]
  let [x, y] = [0, 0]
  for (const { command, args } of commands) {
    const operator = { moveTo: MOVE, lineTo: LINE, bezierCurveTo: CURVE }[command]
    if (operator === undefined) continue
    for (let at = 0; at < args.length; at += 2) {
      const [toX, toY] = [args[at]!, args[at + 1]!]
      bytes.push(...number(toX - x), ...number(toY - y))
      ;[x, y] = [toX, toY]
    }
    bytes.push(operator)
  }
  return Buffer.from([...bytes, END])
}

/** A whole number as an operand of a program or DICT. */
function number(value: number): number[] {
  if (value >= -107 && value <= 107) return [value + 139]
  if (value >= 108 && value <= 1_131) return [((value - 108) >> 8) + 247, (value - 108) & 0xff]
  if (value >= -1_131 && value <= -108) return [((-value - 108) >> 8) + 251, (-value - 108) & 0xff]
  return [28, (value >> 8) & 0xff, value & 0xff]
}

function offset(value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt8(29)
  bytes.writeInt32BE(value, 1)
  return bytes
}
