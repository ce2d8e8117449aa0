import { readFileSync } from 'node:fs'

// Preloaded into a process of the product. Shifts its clock by the milliseconds that the file CLOCK_SHIFT_FILE contains.
const CHECK_EVERY_MS = 200
const RealDate = Date
let shiftMs = 0

setInterval(() => {
  try {
    shiftMs = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8')) || 0
  } catch {
    shiftMs = 0
  }
}, CHECK_EVERY_MS).unref()

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs)
    else super(...parts)
  }
  static now() {
    return RealDate.now() + shiftMs
  }
}
