/** A signal that one part of a test waits for (`promise`) until another part gives it. */
export function signal(): { readonly promise: Promise<void>; give(): void } {
  let give = () => {}
  const promise = new Promise<void>((resolve) => {
    give = resolve
  })
  return { promise, give: () => give() }
}
