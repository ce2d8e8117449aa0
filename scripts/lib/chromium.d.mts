export function findChromium(): string | undefined
export function findHeadlessShell(): string | undefined
/** Installs the browser where there is none. */
export function installChromium(): Promise<void>
