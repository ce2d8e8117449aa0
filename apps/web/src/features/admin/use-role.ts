import { type AdminRole, roleAllows } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../lib/index.ts'

/** Tells whether the admin who is signed in may do what a role is for; nothing until the role is known. */
export function useMay(): (needed: AdminRole) => boolean {
  const role = useQuery(apiQuery('adminMe')).data?.role
  return (needed) => role !== undefined && roleAllows(role, needed)
}
