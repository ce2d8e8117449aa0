// Draws the app's icons from its mark (`Logo` of ui/marks.tsx and favicon.svg have the same geometry) and writes them as PNG files.
// Run once, and again when the mark changes: `node scripts/make-icons.mjs`. The files are committed.
import { writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

const FOLDER = new URL('../apps/web/public/icons/', import.meta.url)
/** The mark on its grid of 32: an R in white whose leg is a check in light blue, on navy. */
const GRID = 32
const NAVY = [0x06, 0x12, 0x37]
const WHITE = [0xff, 0xff, 0xff]
const BLUE = [0x8e, 0xa8, 0xff]
const STROKE = 3.2
/** The bowl of the R: an arc from its top clockwise to its end. */
const BOWL = { x: 16.3, y: 13.1, radius: 4.6, endX: 20.2, endY: 15.5 }
const R_LINES = [
  [9.5, 24, 9.5, 8.5],
  [9.5, 8.5, 16.3, 8.5],
]
const CHECK_LINES = [
  [13.3, 18.2, 17.5, 23.5],
  [17.5, 23.5, 25, 13.8],
]

/** Distance of a point to a line between two points. */
function toLine(x, y, [ax, ay, bx, by]) {
  const [dx, dy] = [bx - ax, by - ay]
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - ax - along * dx, y - ay - along * dy)
}

/** Distance of a point to the bowl, whose end is round. */
function toBowl(x, y) {
  const angle = Math.atan2(y - BOWL.y, x - BOWL.x)
  const end = Math.atan2(BOWL.endY - BOWL.y, BOWL.endX - BOWL.x)
  if (angle >= -Math.PI / 2 && angle <= end) return Math.abs(Math.hypot(x - BOWL.x, y - BOWL.y) - BOWL.radius)
  return Math.hypot(x - BOWL.endX, y - BOWL.endY)
}

function colourAt(x, y) {
  const isOn = (distances) => Math.min(...distances) <= STROKE / 2
  if (isOn(CHECK_LINES.map((line) => toLine(x, y, line)))) return BLUE
  return isOn([toBowl(x, y), ...R_LINES.map((line) => toLine(x, y, line))]) ? WHITE : NAVY
}

/** Reports whether a point of the grid is inside the square with rounded corners. */
function isInside(x, y, radius) {
  const [dx, dy] = [Math.abs(x - GRID / 2), Math.abs(y - GRID / 2)]
  const inner = GRID / 2 - radius
  if (dx > GRID / 2 || dy > GRID / 2) return false
  return dx <= inner || dy <= inner || Math.hypot(dx - inner, dy - inner) <= radius
}

const SAMPLES = 4

/**
 * Returns the rows of the picture in PNG format. `scale` is the share of the edge that the mark takes,
 * `radius` that of the corners; 0 fills the square.
 */
function pixels(size, { scale, radius }) {
  const rows = Buffer.alloc(size * (1 + size * 4))
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const sum = [0, 0, 0, 0]
      for (let sample = 0; sample < SAMPLES ** 2; sample++) {
        const u = ((column + ((sample % SAMPLES) + 0.5) / SAMPLES) / size) * GRID
        const v = ((row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / size) * GRID
        if (!isInside(u, v, radius)) continue
        const colour = colourAt((u - GRID / 2) / scale + GRID / 2, (v - GRID / 2) / scale + GRID / 2)
        for (let part = 0; part < 3; part++) sum[part] += colour[part]
        sum[3]++
      }
      const at = row * (1 + size * 4) + 1 + column * 4
      for (let part = 0; part < 3; part++) rows[at + part] = sum[3] === 0 ? 0 : Math.round(sum[part] / sum[3])
      rows[at + 3] = Math.round((sum[3] / SAMPLES ** 2) * 255)
    }
  }
  return rows
}

const CRC = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  let crc = 0xffffffff
  for (const byte of body) crc = CRC[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return Buffer.concat([head, body, tail])
}

function png(size, look) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(size, look), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

// A maskable icon can be cut to any shape, so its mark stays inside the middle 80%. iOS rounds the corners
// itself.
const FILES = {
  'icon-192.png': [192, { scale: 1, radius: 9 }],
  'icon-512.png': [512, { scale: 1, radius: 9 }],
  'maskable-512.png': [512, { scale: 0.8, radius: 0 }],
  'apple-touch-180.png': [180, { scale: 0.9, radius: 0 }],
}
for (const [name, [size, look]] of Object.entries(FILES))
  writeFileSync(new URL(name, FOLDER), png(size, look))
