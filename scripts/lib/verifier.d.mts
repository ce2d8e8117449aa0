export const VERIFIER: string
export function buildVerifier(folder: string): Promise<{ code: number; output: string }>
