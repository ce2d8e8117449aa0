import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Locator } from '@playwright/test'
import { launchOptions } from './chromium.ts'

const [WIDTH, HEIGHT, FRAMES_PER_SECOND] = [320, 240, 5]
const [WHITE, BLACK, GREY] = [235, 16, 128]

/** A picture of so many modules a side, of which the dark ones are named as `x y`. */
interface Code {
  size: number
  dark: ReadonlySet<string>
}

/** Reads a QR code as the product draws it. */
export async function readDrawnCode(image: Locator): Promise<Code> {
  const size = Number((await image.getAttribute('viewBox'))!.split(' ')[2])
  const path = (await image.locator('path').getAttribute('d'))!
  return { size, dark: new Set(Array.from(path.matchAll(/M(\d+) (\d+)/g), ([, x, y]) => `${x} ${y}`)) }
}

/** A browser whose camera sees the codes one after the other, each for some seconds, over and over; without any it has no camera. */
export async function browserWithCamera(...scenes: { code: Code; seconds: number }[]): Promise<Browser> {
  const path = join(await mkdtemp(join(tmpdir(), 'rif-camera-')), 'camera.y4m')
  const frames = scenes.flatMap(({ code, seconds }) =>
    Array<Buffer>(seconds * FRAMES_PER_SECOND).fill(frameOf(code)),
  )
  const header = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`
  await writeFile(path, Buffer.concat([Buffer.from(header), ...frames]))
  const device =
    scenes.length === 0
      ? ['--use-fake-device-for-media-stream=device-count=0']
      : ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${path}`]
  return chromium.launch(launchOptions({ camera: device }))
}

/** One frame: the code as large as it fits, its brightness first and then no colour. */
function frameOf({ size, dark }: Code): Buffer {
  const scale = Math.floor(HEIGHT / size)
  const [left, top] = [WIDTH, HEIGHT].map((side) => Math.floor((side - size * scale) / 2)) as [number, number]
  const brightness = Buffer.alloc(WIDTH * HEIGHT, WHITE)
  for (let y = 0; y < size * scale; y++) {
    for (let x = 0; x < size * scale; x++) {
      const module = `${Math.floor(x / scale)} ${Math.floor(y / scale)}`
      if (dark.has(module)) brightness[(top + y) * WIDTH + left + x] = BLACK
    }
  }
  return Buffer.concat([Buffer.from('FRAME\n'), brightness, Buffer.alloc((WIDTH * HEIGHT) / 2, GREY)])
}
