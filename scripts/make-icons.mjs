// Draws the app's icons from its mark (apps/web/public/favicon.svg has the same geometry) and writes them as PNG files.
// Run once, and again when the mark changes: `node scripts/make-icons.mjs`. The files are committed.
import { writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

const FOLDER = new URL('../apps/web/public/icons/', import.meta.url)
/** The mark on its grid of 32: two strokes and a dot, on navy. */
const GRID = 32
const NAVY = [0x06, 0x12, 0x37]
const WHITE = [0xff, 0xff, 0xff]
const DOT = [0x7c, 0x9b, 0xff]
const STROKE = 2.6
const BOWL = { x: 16.2, y: 14.3, radius: 4.3 }
const LINES = [
  [9, 22, 9, 10],
  [9, 10, 16.2, 10],
  [17.8, 18.3, 22, 22],
]

/** Distance of a point to a line between two points. */
function toLine(x, y, [ax, ay, bx, by]) {
  const [dx, dy] = [bx - ax, by - ay]
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - ax - along * dx, y - ay - along * dy)
}

/** Distance of a point to the bowl: the arc from its top clockwise to where the leg begins. */
function toBowl(x, y) {
  const angle = Math.atan2(y - BOWL.y, x - BOWL.x)
  const end = Math.atan2(18.3 - BOWL.y, 17.8 - BOWL.x)
  if (angle >= -Math.PI / 2 && angle <= end) return Math.abs(Math.hypot(x - BOWL.x, y - BOWL.y) - BOWL.radius)
  return Infinity
}

function colourAt(x, y) {
  if (Math.hypot(x - 23.5, y - 9.5) <= 2.2) return DOT
  const distance = Math.min(toBowl(x, y), ...LINES.map((line) => toLine(x, y, line)))
  return distance <= STROKE / 2 ? WHITE : NAVY
}

/** Reports whether a point of the grid is inside the square with rounded corners. */
function isInside(x, y, radius) {
  const [dx, dy] = [Math.abs(x - GRID / 2), Math.abs(y - GRID / 2)]
  const inner = GRID / 2 - radius
  if (dx > GRID / 2 || dy > GRID / 2) return false
  return dx <= inner || dy <= inner || Math.hypot(dx - inner, dy - inner) <= radius
}

const SAMPLES = 4

/** The picture's rows as PNG wants them. `scale`: how much of the edge the mark takes; `radius`: of the corners, 0 fills all. */
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

// A maskable icon is cut to any shape: its mark keeps inside the middle 80%. iOS rounds the corners itself.
const FILES = {
  'icon-192.png': [192, { scale: 1, radius: 8 }],
  'icon-512.png': [512, { scale: 1, radius: 8 }],
  'maskable-512.png': [512, { scale: 0.8, radius: 0 }],
  'apple-touch-180.png': [180, { scale: 0.9, radius: 0 }],
}
for (const [name, [size, look]] of Object.entries(FILES))
  writeFileSync(new URL(name, FOLDER), png(size, look))
