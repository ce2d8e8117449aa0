/** Joins class names, leaving out what is off. */
export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
