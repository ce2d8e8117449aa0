import type { Locale } from '@rif/api-schema'
import PDFDocument from 'pdfkit'
import { fontsFor, runsOf } from '../../../../lib/pdf-fonts.ts'

export const MARGIN = 40
export const WIDTH = 595.28 - 2 * MARGIN
const PAGE_HEIGHT = 841.89
const BOTTOM = PAGE_HEIGHT - MARGIN - 24

/** The part of a font of pdfkit that its types lack. */
interface EmbeddedFont {
  readonly id: string
  encode(text: string): [codes: string[], positions: { readonly advanceWidth: number }[]]
  ref(): unknown
}
type Document = PDFKit.PDFDocument & {
  readonly _font: EmbeddedFont
  readonly page: PDFKit.PDFPage & { readonly fonts: Record<string, unknown> }
  addContent(text: string): void
}

/** A character in a font: its code in the page's content, and its width for a size of 1. */
interface Glyph {
  readonly code: string
  readonly width: number
}

export interface TextStyle {
  readonly size: number
  readonly x?: number
  readonly width?: number
  readonly align?: 'left' | 'right'
  readonly isMuted?: boolean
}

const INK = '0.024 0.071 0.216 rg'
const MUTED = '0.357 0.392 0.471 rg'
const ASCII = /^[\x20-\x7e]*$/

/** Typesets lines of text on A4 pages. */
export type PdfPages = Awaited<ReturnType<typeof openPages>>

/**
 * Opens a document whose fonts contain only the characters of `texts` and of ASCII. Each character is looked
 * up once: pdfkit lays out every text again, which takes half a minute for 10,000 rows.
 */
export async function openPages(
  locale: Locale,
  texts: Iterable<string>,
  { title, madeAt }: { title: string; madeAt: Date },
) {
  const doc = new PDFDocument({
    size: 'A4',
    font: '',
    margin: 0,
    lang: locale,
    bufferPages: true,
    info: { Title: title, CreationDate: madeAt },
  }) as Document
  const chunks: Buffer[] = []
  const finished = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  const glyphs = new Map<string, { readonly font: EmbeddedFont; readonly byCharacter: Map<string, Glyph> }>()
  for (const [script, content] of await fontsFor(locale, texts)) {
    doc.registerFont(script, content)
    doc.font(script)
    glyphs.set(script, { font: doc._font, byCharacter: new Map() })
  }
  const latin = runsOf('0', locale)[0]!.script
  let y = MARGIN
  let content: string[] = []

  function glyphsOf(script: string, text: string): { font: EmbeddedFont; codes: string; width: number } {
    const { font, byCharacter } = glyphs.get(script)!
    let codes = ''
    let width = 0
    for (const character of text) {
      let glyph = byCharacter.get(character)
      if (glyph === undefined) {
        const [parts, positions] = font.encode(character)
        glyph = {
          code: parts.join(''),
          width: positions.reduce((sum, at) => sum + at.advanceWidth, 0) / 1000,
        }
        byCharacter.set(character, glyph)
      }
      codes += glyph.code
      width += glyph.width
    }
    return { font, codes, width }
  }

  /** Writes the text of the current page into the document. */
  function flush(): void {
    if (content.length === 0) return
    doc.addContent(`q 1 0 0 -1 0 ${PAGE_HEIGHT} cm BT\n${content.join('\n')}\nET Q`)
    content = []
  }

  /** Typesets a text on the current line, in a smaller size if it is too wide. */
  function text(words: string, style: TextStyle): void {
    const { size, x = MARGIN, width = WIDTH, align = 'left', isMuted = false } = style
    const runs = ASCII.test(words) ? [{ script: latin, text: words }] : runsOf(words, locale)
    const parts = runs.map((run) => glyphsOf(run.script, run.text))
    const natural = size * parts.reduce((sum, part) => sum + part.width, 0)
    const shown = natural > width ? (size * width) / natural : size
    let at = align === 'right' ? x + width - Math.min(natural, width) : x
    for (const { font, codes, width: partWidth } of parts) {
      doc.page.fonts[font.id] ??= font.ref()
      const place = `1 0 0 1 ${at.toFixed(2)} ${(PAGE_HEIGHT - y - size).toFixed(2)} Tm`
      content.push(`${isMuted ? MUTED : INK} /${font.id} ${shown.toFixed(2)} Tf ${place} <${codes}> Tj`)
      at += partWidth * shown
    }
  }

  return {
    text,

    /** Moves down the page. */
    down(points: number): void {
      y += points
    },

    /** Starts a new page unless this much space is left. Reports whether it did. */
    needs(points: number): boolean {
      if (y + points <= BOTTOM) return false
      flush()
      doc.addPage()
      y = MARGIN
      return true
    },

    /** Draws a thin line across the page. */
    rule(): void {
      const at = (PAGE_HEIGHT - y).toFixed(2)
      doc.addContent(
        `q 1 0 0 -1 0 ${PAGE_HEIGHT} cm 0.835 0.851 0.886 RG 0.5 w ${MARGIN} ${at} m ${MARGIN + WIDTH} ${at} l S Q`,
      )
    },

    /** Typesets the footer of every page, with its number, and returns the document. */
    async finish(foot: string): Promise<Buffer> {
      flush()
      const { count } = doc.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        doc.switchToPage(page)
        y = BOTTOM + 8
        text(foot, { size: 7, isMuted: true, width: WIDTH - 60 })
        text(`${page + 1} / ${count}`, { size: 7, isMuted: true, align: 'right' })
        flush()
      }
      doc.end()
      await finished
      return Buffer.concat(chunks)
    },
  }
}
