/**
 * The app, its texts or its first page could not be loaded, so there is nothing to draw with: one plain button, in
 * English, that tries again.
 */
export function showBootFailure() {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'splash w-full'
  button.textContent = 'Load Failed. Tap to reload.'
  button.addEventListener('click', () => window.location.reload())
  document.getElementById('root')?.replaceChildren(button)
}
