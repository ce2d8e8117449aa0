import type { FastifyInstance } from 'fastify'

/**
 * Collects the methods of all routes that are added afterwards. Returns a function that lists the methods of
 * a path, in alphabetical order; none for a path without a route.
 */
export function useMethods(app: FastifyInstance): (path: string) => string[] {
  const exact = new Map<string, Set<string>>()
  const patterns = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) methodsOf(url).add(name)
  })

  function methodsOf(url: string): Set<string> {
    const isExact = !/[:*]/.test(url)
    const knownMethods = isExact ? exact.get(url) : patterns.get(url)?.methods
    if (knownMethods !== undefined) return knownMethods
    const methods = new Set<string>()
    if (isExact) exact.set(url, methods)
    else patterns.set(url, { pattern: patternOf(url), methods })
    return methods
  }

  return (path) => {
    const matches = [...patterns.values()].filter(({ pattern }) => pattern.test(path))
    const methods = [...(exact.get(path) ?? []), ...matches.flatMap((item) => [...item.methods])]
    return [...new Set(methods)].sort()
  }
}

/** Returns the pattern that matches the paths of a route. */
function patternOf(url: string): RegExp {
  const literal = url.replace(/[.+?^$()|[\]\\{}]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
