/** The pattern of a shown line in the API, which this bundle does not contain; a test compares the two. */
const LINE =
  /^(?:(?=.*[^\p{C}\p{Z}\p{M}\u2800])(?!.*\p{M}{11})(?:[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u200d)+)?$/u

/** Reports whether the API accepts a line of text: nothing invisible, no line breaks. An empty one is accepted. */
export const isShownText = (text: string): boolean => LINE.test(text.trim())
