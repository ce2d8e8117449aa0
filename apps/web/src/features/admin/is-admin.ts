import adminRoutes from 'virtual:api-routes/admin'
import { ApiError, addRoutes, call, needAdminTexts } from '../../lib/index.ts'

/** Loads the code and the texts that every page of the operator's side needs. */
export async function loadOperatorSide(): Promise<void> {
  addRoutes(adminRoutes)
  await needAdminTexts()
}

/**
 * Loads that, and reports whether the signed-in address has a role. With `patient` it waits while the server cannot be reached;
 * otherwise it throws then.
 */
export async function isAdmin({ patient = true } = {}): Promise<boolean> {
  const loading = loadOperatorSide()
  try {
    await Promise.all([loading, call('adminMe', {}, { quiet: true, patient })])
    return true
  } catch (error) {
    if (error instanceof ApiError && error.error === 'FORBIDDEN') return false
    throw error
  }
}
