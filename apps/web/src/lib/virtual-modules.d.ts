declare module 'virtual:api-routes/*' {
  const routes: Readonly<
    Partial<Record<import('@rif/api-schema').RouteName, import('./api-routes.ts').ApiRoute>>
  >
  export default routes
}

/** One drawing of Lucide. The package declares types only for all of them together, which takes long to load. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const nodes: readonly (readonly [tag: string, attributes: Readonly<Record<string, string | number>>])[]
  export default nodes
}
