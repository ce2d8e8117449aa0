import type { FastifyInstance } from 'fastify'

/**
 * Collects the methods of all routes that are added afterwards. Returns a function that lists those of a path, in alphabetical
 * order; none for a path without a route.
 */
export function useMethods(app: FastifyInstance): (path: string) => string[] {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    const known = methods.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    methods.set(url, known)
  })
  return (path) => {
    const found = [...methods].filter(([url]) => patternOf(url).test(path))
    return [...new Set(found.flatMap(([, known]) => [...known]))].sort()
  }
}

/** Returns what the paths of a route look like. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^$()|[\]\\{}]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
