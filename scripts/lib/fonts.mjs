import { existsSync } from 'node:fs'

/** Debian's packages of the fonts that the end-to-end tests use, each with one of its files. */
const FONTS = {
  'fonts-dejavu-core': '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
}

/** Returns the packages of fonts that are not installed; none where the system is not Linux, which has its own fonts. */
export const missingFonts = () =>
  process.platform === 'linux' ? Object.keys(FONTS).filter((name) => !existsSync(FONTS[name])) : []
