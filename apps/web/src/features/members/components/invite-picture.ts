import { encodeQR } from 'qr'

/** The content of the picture; all texts in the member's language. */
export interface InvitePicture {
  link: string
  app: string
  title: string
  /** The warning, which may take two lines. */
  risk: string
}

const WIDTH = 1080
const HEIGHT = 1350
const QR_EDGE = 640
const QR_TOP = 370
const QUIET_ZONE = 4
const MARGIN = 90
const LINE = 50
const INK = '#061237'
const LIGHT = '#b4c1e6'

/** Draws an invitation as a PNG of 1080 x 1350 pixels: the product's name, a QR code of the link, its host and the warning. */
export async function drawInvite(picture: InvitePicture): Promise<Blob> {
  await document.fonts.ready
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')!
  drawField(pen)
  drawMark(pen)
  const font = getComputedStyle(document.body).fontFamily
  const write = (text: string, y: number, size: number, colour: string, weight = 400) => {
    pen.font = `${weight} ${size}px ${font}`
    pen.fillStyle = colour
    pen.fillText(text, WIDTH / 2, y, WIDTH - 2 * MARGIN)
  }
  pen.textAlign = 'center'
  write(picture.app, 240, 44, LIGHT, 500)
  write(picture.title, 320, 60, '#fff', 600)
  drawCode(pen, picture.link)
  write(new URL(picture.link).host, QR_TOP + QR_EDGE + 90, 38, '#fff', 500)
  pen.font = `400 34px ${font}`
  linesOf(pen, picture.risk).forEach((line, index) => {
    write(line, QR_TOP + QR_EDGE + 165 + index * LINE, 34, LIGHT)
  })
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png'),
  )
}

function drawField(pen: CanvasRenderingContext2D) {
  const field = pen.createLinearGradient(0, 0, WIDTH, HEIGHT)
  field.addColorStop(0, INK)
  field.addColorStop(1, '#11286f')
  pen.fillStyle = field
  pen.fillRect(0, 0, WIDTH, HEIGHT)
}

/** Draws the product's mark, as in favicon.svg. */
function drawMark(pen: CanvasRenderingContext2D) {
  pen.save()
  pen.translate(WIDTH / 2 - 64, 60)
  pen.scale(4, 4)
  pen.lineWidth = 3.2
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.strokeStyle = '#fff'
  pen.stroke(new Path2D('M9.5 24V8.5h6.8a4.6 4.6 0 0 1 3.9 7'))
  pen.strokeStyle = '#8ea8ff'
  pen.stroke(new Path2D('m13.3 18.2 4.2 5.3L25 13.8'))
  pen.restore()
}

function drawCode(pen: CanvasRenderingContext2D, link: string) {
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const dot = Math.floor(QR_EDGE / rows.length)
  const edge = dot * rows.length
  const left = (WIDTH - edge) / 2
  pen.fillStyle = '#fff'
  pen.fillRect(left, QR_TOP, edge, edge)
  pen.fillStyle = INK
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) pen.fillRect(left + x * dot, QR_TOP + y * dot, dot, dot)
    })
  })
}

/** Breaks a text into lines that fit, at spaces or, in scripts without them, between any two characters. */
function linesOf(pen: CanvasRenderingContext2D, text: string): string[] {
  const words = text.includes(' ') ? text.split(/(?<= )/) : [...text]
  const lines = ['']
  for (const word of words) {
    const longer = lines.at(-1)! + word
    if (pen.measureText(longer).width <= WIDTH - 2 * MARGIN) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
