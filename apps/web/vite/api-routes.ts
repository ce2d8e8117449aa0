import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { ApiRoute } from '../src/lib/api-routes.ts'

const NAME = 'virtual:api-routes/'
const TABLE = pathToFileURL(`${import.meta.dirname}/../../../packages/api-schema/src/routes.ts`)

/**
 * Serves `virtual:api-routes/members` and `virtual:api-routes/admin`: method, path and `movesMoney` of each API route.
 * The route table itself carries the Zod schemas, a seventh of the JavaScript that may load before the first screen.
 */
export function apiRoutes(): Plugin {
  return {
    name: 'api-routes',
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${NAME}`)) return
      const { routes }: { routes: Record<string, ApiRoute> } = await import(TABLE.href)
      const isAdmin = id.endsWith('/admin')
      return moduleOf(Object.entries(routes).filter(([, { path }]) => path.startsWith('admin/') === isAdmin))
    },
  }
}

/** Writes the table as one text for all routes of a kind, which takes half as many bytes as an object for each route. */
function moduleOf(routes: readonly (readonly [name: string, route: ApiRoute])[]): string {
  const kinds = new Map<string, string[]>()
  for (const [name, { method, path, movesMoney }] of routes) {
    const kind = JSON.stringify({ method, movesMoney })
    kinds.set(kind, [...(kinds.get(kind) ?? []), name === path ? name : `${name}=${path}`])
  }
  const calls = [...kinds].map(([kind, texts]) => `add(${kind},${JSON.stringify(texts.join(' '))})`)
  return `const table = {}
const add = (kind, texts) => {
  for (const text of texts.split(' ')) {
    const [name, path = name] = text.split('=')
    table[name] = { ...kind, path }
  }
}
${calls.join('\n')}
export default table`
}
