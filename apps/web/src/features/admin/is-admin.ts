import adminRoutes from 'virtual:api-routes/admin'
import { ApiError, addRoutes, call, needAdminTexts } from '../../lib/index.ts'

/**
 * Loads the code that every page of the operator's side needs, and reports whether the signed-in address has
 * a role. Waits while the server cannot be reached.
 */
export async function isAdmin(): Promise<boolean> {
  addRoutes(adminRoutes)
  try {
    await Promise.all([needAdminTexts(), call('adminMe', {}, { quiet: true, patient: true })])
    return true
  } catch (error) {
    if (error instanceof ApiError && error.error === 'FORBIDDEN') return false
    throw error
  }
}
