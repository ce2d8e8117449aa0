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
      const facts = Object.entries(routes)
        .filter(([, { path }]) => path.startsWith('admin/') === isAdmin)
        .map(([name, { method, path, movesMoney }]) => [name, { method, path, movesMoney }])
      return `export default ${JSON.stringify(Object.fromEntries(facts))}`
    },
  }
}
