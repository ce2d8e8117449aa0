import '../../lib/admin-routes.ts'
import { ApiError, call, needAdminTexts } from '../../lib/index.ts'

/** Whether whoever is signed in has a role; loads what every page of the operator's side needs. Throws when the server is not reached. */
export async function isAdmin(): Promise<boolean> {
  try {
    await Promise.all([needAdminTexts(), call('adminMe', {}, { quiet: true })])
    return true
  } catch (error) {
    if (error instanceof ApiError && error.error === 'FORBIDDEN') return false
    throw error
  }
}
