declare module 'virtual:api-routes/*' {
  const routes: Readonly<
    Partial<Record<import('@rif/api-schema').RouteName, import('./api-routes.ts').ApiRoute>>
  >
  export default routes
}
