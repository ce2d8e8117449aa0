export function findSoftHsm(): string | undefined
