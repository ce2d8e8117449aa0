export const MOST_SCRIPT_KB: Readonly<Record<string, number>>
export const MOST_STYLE_KB: number
/** The size in bytes of each file, by its path in the build. */
export function scriptBytes(path: string, encoding?: 'br' | 'gz'): Record<string, number>
export function styleBytes(encoding?: 'br' | 'gz'): Record<string, number>
