/** Moves the focus to the first invalid field of a form. Returns false without one. */
export function focusFault(form: Element | undefined): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus()
  return field != null
}
