import routes from 'virtual:api-routes/admin'
import { addRoutes } from './api-routes.ts'

// Loaded with the operators' pages, so that members do not load it.
addRoutes(routes)
